import path from 'node:path';

/**
 * What git inherits where no setting, attribute, hook or variable of the user or the project may act on it. git 2.25 has no
 * GIT_CONFIG_GLOBAL, so its home is a folder without settings.
 */
export function isolatedVariables(home: string): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(
      inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    HOME: home,
    XDG_CONFIG_HOME: home,
    LC_ALL: 'C',
    GIT_CEILING_DIRECTORIES: path.dirname(home),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: process.platform === 'win32' ? path.join(home, 'none') : '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  };
}

const inherited = ['PATH', 'SystemRoot', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH'];
