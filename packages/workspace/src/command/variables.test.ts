import { expect, test } from 'vitest';
import { isHarmlessVariable, variablesAreHarmless } from './variables.ts';

test.each(['CI', 'NO_COLOR', 'LANG', 'LC_ALL', 'TZ'])('%s leaves a command as it is', (name) => {
  expect(isHarmlessVariable(name)).toBe(true);
});

test.each(
  (
    'PATH LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES GIT_SSH_COMMAND GIT_CONFIG_COUNT GIT_DIR NODE_OPTIONS NODE_PATH ' +
    'PYTHONPATH PYTHONSTARTUP PERL5OPT RUBYOPT BASH_ENV ENV SHELLOPTS IFS PAGER EDITOR VISUAL LESSOPEN MANPAGER BROWSER ' +
    'npm_config_script_shell CARGO_HOME RUSTC_WRAPPER CC MAKEFLAGS JAVA_TOOL_OPTIONS DOCKER_HOST KUBECONFIG SSH_AUTH_SOCK HOME ' +
    'XDG_CONFIG_HOME TMPDIR https_proxy UNKNOWN LC_ path lc_all'
  ).split(' '),
)('%s may change what a command does', (name) => {
  expect(isHarmlessVariable(name)).toBe(false);
  expect(variablesAreHarmless(['CI', name])).toBe(false);
});
