import { cutText } from '../cut-text.ts';
import { errorCode } from '../error-code.ts';
import type { ModelImage } from '../model/image.ts';
import type { ModelContext, ModelMessage } from '../model/model.ts';
import { belowDirectory } from '../tools/argument/below-directory.ts';
import { runToolCall } from '../turn/run-tool-call.ts';
import type { Turn } from '../turn/turn.ts';
import type { FileLink } from './file-link.ts';

/** What comes with the words of a prompt, gathered within the limits. Files are read by the tools of the turn. */
export class Attachments {
  readonly #turn: Turn;
  readonly #context: ModelContext[] = [];
  readonly #images: ModelImage[] = [];
  readonly #paths = new Set<string>();
  #room: number;

  constructor(turn: Turn) {
    this.#turn = turn;
    this.#room = turn.limits.attachedChars;
  }

  /** The message of the user, with all that was attached. */
  toMessage(text: string): ModelMessage {
    return {
      role: 'user',
      text,
      ...(this.#context.length > 0 && { context: this.#context }),
      ...(this.#images.length > 0 && { images: this.#images }),
    };
  }

  /** Adds a text. If it is too long, its start and end are kept. */
  addText(source: string, text: string): void {
    const kept = cutText(text, Math.min(this.#room, this.#turn.limits.attachmentChars));
    this.#room -= Math.min(this.#room, kept.length);
    this.#context.push({ source, text: kept });
  }

  addImage(image: ModelImage): void {
    const { promptImages, imageChars } = this.#turn.limits;
    const chars = this.#images.reduce((sum, { data }) => sum + data.length, image.data.length);
    if (this.#images.length < promptImages && chars <= imageChars) this.#images.push(image);
    else this.addText(image.source ?? 'image', '[Not attached: the prompt has too many images]');
  }

  /** Attaches a file, a range of its lines, an image, or the names in a folder; if it cannot be read, the reason. */
  async addFile(link: FileLink): Promise<void> {
    const { workplace, limits, client } = this.#turn;
    const path = workplace.environment.toAbsolutePath(workplace.cwd, link.path);
    const { lines } = link;
    const key = lines === undefined ? path : `${path}#L${String(lines.first)}-L${String(lines.last)}`;
    if (this.#paths.has(key) || client.signal.aborted) return;
    this.#paths.add(key);
    if (this.#paths.size > limits.attachments || this.#room === 0) {
      this.#context.push({ source: key, text: '[Not attached: the prompt has too much attached already]' });
      return;
    }
    const input = {
      path: belowDirectory(workplace.cwd, path),
      ...(lines !== undefined && { line: lines.first, limit: lines.last - lines.first + 1 }),
    };
    const name = (await this.#isDirectory(path)) ? 'list' : 'read';
    // As a call, so that it is seen, kept, and judged like those of the model.
    const result = await runToolCall(this.#turn, {
      id: `attachment_${String(this.#paths.size)}`,
      name,
      input,
    });
    this.addText(key, result.isError ? `[Not attached: ${result.text}]` : result.text);
    for (const image of result.images ?? []) this.addImage(image);
  }

  /** Attaches a mentioned file, if it exists. */
  async addMention(meanings: readonly FileLink[]): Promise<void> {
    const { cwd, environment, files } = this.#turn.workplace;
    for (const link of meanings) {
      try {
        await files.list(environment.toAbsolutePath(cwd, link.path), { limit: 1 });
      } catch (error) {
        if (errorCode(error) !== 'not-a-directory') continue;
      }
      return await this.addFile(link);
    }
  }

  async #isDirectory(path: string): Promise<boolean> {
    try {
      await this.#turn.workplace.files.list(path, { limit: 1 });
      return true;
    } catch {
      // A file, or nothing that can be read: reading says what it is.
      return false;
    }
  }
}
