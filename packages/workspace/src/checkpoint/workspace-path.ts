/** A path in a workspace, `/` between its names: text, or its bytes where they are not UTF-8. */
export type WorkspacePath = string | { readonly base64: string };
