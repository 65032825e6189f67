/** Field names that agents use for a file in a tool's input. Rules and the displayed question read the same ones. */
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

/** Field names that agents use for the folder in which a command starts. */
export const folderFields: readonly string[] = [
  'cwd',
  'workdir',
  'dir_path',
  'directory',
  'working_directory',
];

/** The names under which agents put variables that are set for a command. */
export const environmentFields: readonly string[] = ['env', 'environment', 'envs', 'env_vars'];
