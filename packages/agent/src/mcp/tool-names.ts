/** Length of a tool name that all models accept. */
const longestName = 64;

/** Assigns the unique names by which a model calls MCP tools: `mcp__SERVER__TOOL`. */
export class ToolNames {
  readonly #taken = new Set<string>();

  /** Characters that models refuse become `_`; a name that is too long or taken ends in a number. */
  take(server: string, tool: string): string {
    const whole = `mcp__${toPlain(server)}__${toPlain(tool)}`;
    let name = whole.slice(0, longestName);
    for (let number = 2; this.#taken.has(name); number += 1) {
      const ending = `_${String(number)}`;
      name = whole.slice(0, longestName - ending.length) + ending;
    }
    this.#taken.add(name);
    return name;
  }
}

function toPlain(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/gu, '_');
}
