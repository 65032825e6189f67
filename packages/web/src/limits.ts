// The bounds of the interface; LIMITS.md has a row for each. Lengths are in characters, unless a name says otherwise.

/** What goes with one prompt. */
export const attachmentLimits = {
  /** Attachments of all kinds. */
  count: 20,
  /** All together, as they are sent. */
  length: 12_000_000,
  /** One text file. */
  textBytes: 1_000_000,
  /** One sound, or one file that is no text. */
  mediaBytes: 6_000_000,
  /** An image before it is made smaller. */
  imageBytes: 40_000_000,
  /** An image as it is sent: models take no more. */
  sentImageBytes: 3_500_000,
  /** The longer side of an image as it is sent, in pixels. */
  imagePixels: 2000,
  /** From how many characters or lines on a pasted text stands beside the box. */
  pasteLength: 4000,
  pasteLines: 80,
} as const;

/** How much of one draft is kept. */
export const draftLength = 1_000_000;

/** How many drafts are kept; the oldest go first. */
export const draftCount = 40;

/** How many prompts of a session the arrow keys bring back. */
export const recalledPrompts = 100;

/** How many files are suggested. */
export const suggestedFiles = 30;

/** How much of a prompt that waits is shown. */
export const shownQueuedText = 400;

/** How long the title of a session may be that the user types. */
export const titleLength = 200;

/** How long the reason of a rejection may be. */
export const reasonLength = 4000;

/** The longest time between two attempts to connect. */
export const reconnectMs = 15_000;

/** How long one attempt to connect may take. */
export const attemptMs = 20_000;

/** How long the server may take to show that it is there. */
export const probeMs = 8000;

/** How long what is asked for waits for a connection. */
export const requestWaitMs = 20_000;

/** How much is kept of what an agent wrote to standard error, and of what each of its commands wrote. */
export const keptText = 200_000;

/** How many settled questions are known; they are shown for a moment only. */
export const keptSettled = 50;

/** Of a text with more blocks than twice this, only so many at its beginning and its end are shown at first. */
export const shownBlocks = 60;

/** A block longer than this is shown as it is: it was not written to be formatted. */
export const formattedBlock = 30_000;

/** Code longer than this is not coloured. */
export const colouredCode = 60_000;

/** While code is being written it is coloured again with each piece: only as long as it is short. */
export const colouredOpenCode = 3000;

/** How many lines of what a command wrote are shown at first. */
export const shownOutputLines = 200;

/** How many lines of any other text are shown at first. */
export const shownTextLines = 24;

/** How many characters such a line counts for at least. */
export const shownLineText = 160;

/** How much of a value is shown at first. */
export const shownValueText = 8000;

/** Images with more characters of Base64 than this are not shown. */
export const shownImage = 20_000_000;

/** How many of the files are listed that a tool call is about. */
export const shownPlaces = 50;

/** How much of the title of a tool call is shown. */
export const shownTitle = 400;

/** How many lines are compared and shown without having been asked for. */
export const comparedLines = 5000;

/** How many lines of a comparison are shown at first, and more with each wish. */
export const diffPage = 600;

/** Files that differ in more lines than this count as rewritten: to find what stayed would take too long. */
export const longestEdit = 3000;

/** Lines longer than this are not compared word by word. */
export const comparedLine = 600;

/** How many sessions are in the list at first, and more with each wish. */
export const sessionPage = 150;

/** How many folders are offered of those that were used before. */
export const recentFolders = 6;

/** How much is shown, where a session begins, of what an agent wrote before it ended; its page has more. */
export const shownFirstLog = 500;

/** How much of what an agent wrote is shown in its session; the rest can be copied. */
export const shownLog = 6000;

/** So many values of an option are shown; some agents have hundreds of models. */
export const shownChoices = 40;

/** How many questions are in the inbox at first, and more with each wish. */
export const inboxPage = 30;

/** How long a pattern of an agent's, and what is typed, may be for the one to be tried on the other. */
export const triedPattern = 200;

/** How many places are found by a search. */
export const shownHits = 100;

/** How many frames the inspector keeps; the oldest are dropped. */
export const keptFrames = 100_000;

/** How large these are together, in bytes. */
export const keptFrameBytes = 128 * 1024 * 1024;

/** How many parts of a branch are shown at first; ten times as many more with each wish. */
export const shownParts = 100;

/** How many more are shown of a branch in which something was found. */
export const shownFoundParts = 10_000;

/** How much of a text in a frame is shown at first. */
export const shownPartText = 4000;

/** In how many places of a frame a text is found. */
export const foundParts = 1000;

/** How many entries of a group the palette shows before anything is searched for. */
export const paletteFirst = 6;

/** How many entries of a group it shows when something is. */
export const paletteFound = 20;

/** Of a session's changes, all files are shown opened at first when there are no more than so many of them. */
export const openFiles = 30;

/** And when they change no more than so many lines. */
export const openLines = 5000;

/** The lines of a hunk with more of them are not compared word by word. */
export const comparedHunk = 400;

/** How many lines a comment on changes quotes. */
export const quotedLines = 40;

/** How long a comment on changes may be. */
export const commentLength = 10_000;

/** How long the message of a commit may be. */
export const commitLength = 10_000;

/** How many files are named where changes are undone or committed. */
export const shownRestored = 200;
