/** How long a question is displayed before a key or a click can allow something. */
export const readingMs = 400;
