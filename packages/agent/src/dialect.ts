/** Whose codes answer where source document 001 and the protocol differ; absent: the protocol's. */
export type Dialect = 'agentao';
