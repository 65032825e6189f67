/** The names under which agents put a file into a tool's input. What rules read there is what the user is shown. */
export const pathFields: readonly string[] = [
  'path',
  'file_path',
  'filePath',
  'absolute_path',
  'absolutePath',
  'abs_path',
  'notebook_path',
  'target_file',
  'from',
  'to',
  'source',
  'destination',
  'old_path',
  'new_path',
  'paths',
  'dir_path',
  'directory',
];

/** The names under which agents put the folder that a command is to start in. */
export const folderFields: readonly string[] = [
  'cwd',
  'workdir',
  'dir_path',
  'directory',
  'working_directory',
];

/** The names under which agents put variables that are set for a command. */
export const environmentFields: readonly string[] = ['env', 'environment', 'envs', 'env_vars'];
