/** New output of a command that an agent runs through the client. It is not an event: the whole output is one at its end. */
export interface TerminalOutput {
  readonly sessionId: string;
  readonly terminalId: string;
  readonly text: string;
}
