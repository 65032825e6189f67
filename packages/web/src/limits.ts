// Bounds of the interface. Lengths are in characters, unless a name says otherwise.

/** Limits of the attachments of a prompt. */
export const attachmentLimits = {
  /** Attachments of a prompt. */
  count: 20,
  /** Total size of all attachments as they are sent. */
  length: 12_000_000,
  /** Size of a text file. */
  textBytes: 1_000_000,
  /** Size of an audio or other binary file. */
  mediaBytes: 6_000_000,
  /** Size of an image before it is scaled down. */
  imageBytes: 40_000_000,
  /** Size of an image as it is sent: the limit of most models. */
  sentImageBytes: 3_500_000,
  /** Longer side of an image as it is sent, in pixels. */
  imagePixels: 2000,
  /** Characters or lines from which a pasted text becomes an attachment. */
  pasteLength: 4000,
  pasteLines: 80,
} as const;

/** Stored characters of one draft. */
export const draftLength = 1_000_000;

/** Stored drafts; the oldest are dropped first. */
export const draftCount = 40;

/** Prompts of a session that the arrow keys recall. */
export const recalledPrompts = 100;

/** Suggested files. */
export const suggestedFiles = 30;

/** Displayed characters of a queued prompt. */
export const shownQueuedText = 400;

/** Characters of a session title. */
export const titleLength = 200;

/** Characters of the reason for a rejection. */
export const reasonLength = 4000;

/** Longest delay between two attempts to connect. */
export const reconnectMs = 15_000;

/** Duration of one attempt to connect. */
export const attemptMs = 20_000;

/** How long the server may take to respond to a probe. */
export const probeMs = 8000;

/** How long the user of a visible page that is not used counts as looking at it, as on the server. */
export const lookingMs = 120_000;

/** Shortest time between two reports that the page is used. */
export const repeatLookMs = 30_000;

/** How long the session of a page is watched while the page is loading. */
export const aheadMs = 20_000;

/** Shortest time between two displays of a session whose events are still being loaded. */
export const loadingMs = 200;

/** How long requests wait for a connection. */
export const requestWaitMs = 20_000;

/** Stored characters of an agent's standard error, and of the output of each of its commands. */
export const keptText = 200_000;

/** Settled questions that are remembered; they are displayed only briefly. */
export const keptSettled = 50;

/**
 * Blocks at the beginning and the end of a long text that are displayed at first, if it has more than twice as many.
 */
export const shownBlocks = 60;

/** Longer blocks are displayed without formatting. */
export const formattedBlock = 30_000;

/** Longer code is not highlighted. */
export const colouredCode = 60_000;

/** Longer code is not highlighted while it is being written, because each piece highlights all of it again. */
export const colouredOpenCode = 3000;

/** Initially displayed lines of a command's output. */
export const shownOutputLines = 200;

/** Initially displayed lines of other texts. */
export const shownTextLines = 24;

/** Characters that count as one such line. */
export const shownLineText = 160;

/** Initially displayed characters of a value. */
export const shownValueText = 8000;

/** Images with more Base64 characters are not displayed. */
export const shownImage = 20_000_000;

/** Listed files of a tool call. */
export const shownPlaces = 50;

/** Displayed characters of a tool call's title. */
export const shownTitle = 400;

/** Lines that are compared automatically. */
export const comparedLines = 5000;

/** Lines of a comparison that are displayed at first, and with each *Show more*. */
export const diffPage = 600;

/** Files with more changed lines are displayed as rewritten, because comparing them would take too long. */
export const longestEdit = 3000;

/** Longer lines are not compared word by word. */
export const comparedLine = 600;

/** Sessions in the list at first, and with each *Show more*. */
export const sessionPage = 150;

/** Recently used folders that are suggested. */
export const recentFolders = 6;

/** Characters of the output of a failed agent on the start page; its own page displays more. */
export const shownFirstLog = 500;

/** Displayed characters of an agent's standard error in its session; the rest can be copied. */
export const shownLog = 6000;

/** Displayed values of an option: some agents have hundreds of models. */
export const shownChoices = 40;

/** Questions in the inbox at first, and with each *Show more*. */
export const inboxPage = 30;

/** Characters of an agent's pattern, and of an input, for the input to be checked. */
export const triedPattern = 200;

/** Results of a search. */
export const shownHits = 100;

/** Frames in the inspector; the oldest are dropped. */
export const keptFrames = 100_000;

/** Total size of these frames. */
export const keptFrameBytes = 128 * 1024 * 1024;

/** Entries of a branch at first; each *Show more* displays ten times as many. */
export const shownParts = 100;

/** Additional entries of a branch with a match. */
export const shownFoundParts = 10_000;

/** Initially displayed characters of a text in a frame. */
export const shownPartText = 4000;

/** Matches within a frame. */
export const foundParts = 1000;

/** Entries of a palette group before a search. */
export const paletteFirst = 6;

/** Entries of a palette group during a search. */
export const paletteFound = 20;

/** Changed files up to which all of them are expanded at first. */
export const openFiles = 30;

/** Changed lines up to which all files are expanded at first. */
export const openLines = 5000;

/** Larger hunks are not compared word by word. */
export const comparedHunk = 400;

/** Lines that a comment on changes quotes. */
export const quotedLines = 40;

/** Characters of a comment on changes. */
export const commentLength = 10_000;

/** Characters of a commit message. */
export const commitLength = 10_000;

/** Files that are named when changes are undone or committed. */
export const shownRestored = 200;

/** Characters of the name and the base of a new worktree. */
export const worktreeLimits = { nameLength: 100, baseLength: 200 } as const;

/** Limits of a race: runners, and characters of the prompt and the check. */
export const raceLimits = { runners: 16, promptLength: 100_000, checkLength: 2000 } as const;
