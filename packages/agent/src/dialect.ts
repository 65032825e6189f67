/** The error codes to use where source document 001 and the protocol differ; absent: the protocol's. */
export type Dialect = 'agentao';
