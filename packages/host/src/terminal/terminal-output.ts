/** What a command that an agent runs through the client wrote just now. It is not an event: the whole is told at its end. */
export interface TerminalOutput {
  readonly sessionId: string;
  readonly terminalId: string;
  readonly text: string;
}
