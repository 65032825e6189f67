import { repositoryRoot, type Variables } from './places.ts';
import { rightsOfVariables, readVariablesFile } from './project-variables.ts';
import { readProjectFile } from './read-configuration.ts';
import { readSetupFile, rightsOfSetup } from './setup-file.ts';
import { isTrusted, type FileContent } from './trusted-files.ts';

/** A file of a project that its user can trust, as it is now. */
export interface TrustCandidate {
  readonly file: string;
  readonly content: FileContent;
  /** What it would do, one line each; empty where it only narrows, and needs no trust. */
  readonly rights: readonly string[];
  readonly isTrusted: boolean;
}

/** The files of a folder's project that can choose what runs, where prompts go, or what is allowed. */
export async function readTrustCandidates(cwd: string, env: Variables): Promise<readonly TrustCandidate[]> {
  const project = await readProjectFile(cwd, env);
  const variables = await readVariablesFile(cwd);
  const root = await repositoryRoot(cwd);
  const setup = root === undefined ? undefined : await readSetupFile(root);
  const files = [
    ...(project === undefined ? [] : [project]),
    ...(variables === undefined ? [] : [{ ...variables, rights: rightsOfVariables(variables) }]),
    ...(setup === undefined ? [] : [{ ...setup, rights: rightsOfSetup(setup) }]),
  ];
  return Promise.all(
    files.map(async ({ file, content, rights }) => ({
      file,
      content,
      rights,
      isTrusted: await isTrusted(content, env),
    })),
  );
}
