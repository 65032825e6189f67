import type { Files } from '@parley/workspace';
import type { Subject } from './subject.ts';

/** Adds where links lead, as rules and later writes may speak of either name. */
export async function withRealPaths(subject: Subject, files: Pick<Files, 'resolve'>): Promise<Subject> {
  const real = await Promise.all(subject.paths.map((path) => realPath(path, files)));
  return { ...subject, paths: [...new Set([...subject.paths, ...real])] };
}

async function realPath(path: string, files: Pick<Files, 'resolve'>): Promise<string> {
  try {
    return await files.resolve(path);
  } catch {
    // Outside of the session's directories: the call is judged by the name it gives, and the client grants it no write.
    return path;
  }
}
