/** The longest message unless an option says otherwise, in bytes. */
export const defaultMaxMessageBytes: number = 80 * 1024 * 1024;
