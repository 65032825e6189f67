/** Default limit for the length of a message, in bytes. */
export const defaultMaxMessageBytes: number = 80 * 1024 * 1024;
