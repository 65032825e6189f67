/** How long a question has to stand still before a key or a click can allow something: no user reads faster. */
export const readingMs = 400;
