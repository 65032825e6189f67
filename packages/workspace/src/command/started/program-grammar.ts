import type { PrefixMatch } from '../prefix.ts';

/** Options of a program that may precede its subcommand. */
export interface GlobalOptions {
  /** The next word is their value. */
  readonly valued: ReadonlySet<string>;
  readonly flags: ReadonlySet<string>;
}

/** The options before a program's subcommand, for rules that deny; undefined for most programs. */
export function globalOptions(program: string): GlobalOptions {
  return known.get(program) ?? none;
}

/** Whether a word is the subcommand that a rule names: `i` and `install` of npm are one; `maybe` where it is cut short. */
export function isSameSubcommand(program: string, wanted: string, word: string): PrefixMatch {
  if (wanted === word) return 'yes';
  const isSynonym = (synonyms.get(program) ?? []).some((names) => names.has(wanted) && names.has(word));
  if (isSynonym) return 'yes';
  return /^[a-z-]+$/u.test(word) && wanted.startsWith(word) ? 'maybe' : 'no';
}

/** Whether a word may be an alias, which the program's configuration replaces with another command. */
export function hasUnknownSubcommand(program: string, word: string): boolean {
  const subcommands = builtIn.get(program);
  return subcommands !== undefined && !subcommands.has(word);
}

function options(valued: string, flags = ''): GlobalOptions {
  return { valued: new Set(valued.split(' ')), flags: new Set(flags.split(' ')) };
}

const none = options('');

const npm = options(
  '--prefix -C --workspace -w --registry --userconfig --globalconfig --cache --loglevel --tag --otp --access --script-shell',
  '-s --silent -q --quiet -d -dd -ddd --verbose -g --global --workspaces -ws --if-present --json --force -f -y --yes --no-audit',
);

const containers = options(
  '-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey -f --file -p --project-name --profile ' +
    '--env-file --project-directory --url --connection --identity',
  '-D --debug --tls --tlsverify --remote',
);

const known: ReadonlyMap<string, GlobalOptions> = new Map([
  [
    'git',
    options(
      '-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source --list-cmds',
      '-p --paginate -P --no-pager --no-replace-objects --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs ' +
        '--icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice -v -q --quiet',
    ),
  ],
  ['npm', npm],
  [
    'pnpm',
    options(
      '-C --dir --filter -F --registry --reporter --loglevel',
      '-r --recursive -w --workspace-root -s --silent',
    ),
  ],
  ['yarn', options('--cwd --registry --use-yarnrc', '-s --silent --verbose --json')],
  ['docker', containers],
  ['podman', containers],
  ['docker-compose', containers],
  [
    'kubectl',
    options(
      '-n --namespace --context --cluster --kubeconfig -s --server --user --token --as --as-group --request-timeout -v ' +
        '--cache-dir --certificate-authority --client-certificate --client-key',
      '--insecure-skip-tls-verify -A --all-namespaces',
    ),
  ],
  ['helm', options('-n --namespace --kube-context --kubeconfig --kube-token --kube-apiserver', '--debug')],
  [
    'cargo',
    options(
      '--config -Z --color -C --manifest-path',
      '-v -vv --verbose -q --quiet --offline --locked --frozen',
    ),
  ],
  ['gh', options('-R --repo --hostname')],
  ['terraform', options('', '-version')],
  [
    'systemctl',
    options('-H --host -M --machine -t --type -p', '--user --system -q --quiet --no-pager --now -f --force'),
  ],
  ['apt', options('-o -c -t', '-y --yes -q -qq --quiet -f')],
  ['apt-get', options('-o -c -t', '-y --yes -q -qq --quiet -f')],
  [
    'pip',
    options(
      '--python --log --proxy --cache-dir --timeout --cert',
      '-v -q --verbose --quiet --isolated --require-virtualenv',
    ),
  ],
  [
    'pip3',
    options(
      '--python --log --proxy --cache-dir --timeout --cert',
      '-v -q --verbose --quiet --isolated --require-virtualenv',
    ),
  ],
  ['aws', options('--profile --region --output --endpoint-url --query --color', '--debug --no-cli-pager')],
  ['gcloud', options('--project --account --configuration --format --verbosity', '-q --quiet')],
]);

function group(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

const ofNpm = [
  group('install i in ins inst insta instal isnt isnta isntal isntall add'),
  group('uninstall un unlink remove rm r'),
  group('test t tst'),
  group('run run-script rum urn'),
  group('exec x'),
  group('install-test it'),
  group('ci clean-install ic install-clean isntall-clean'),
  group('link ln'),
  group('update up upgrade udpate'),
  group('config c'),
  group('create init innit'),
];

const synonyms: ReadonlyMap<string, readonly ReadonlySet<string>[]> = new Map([
  ['npm', ofNpm],
  ['pnpm', ofNpm],
  ['yarn', [group('remove uninstall'), group('upgrade up')]],
  ['bun', [group('install i'), group('add a'), group('remove rm'), group('exec x')]],
  [
    'cargo',
    [group('build b'), group('check c'), group('test t'), group('run r'), group('doc d'), group('remove rm')],
  ],
  ['git', [group('push send-pack http-push'), group('add stage'), group('fetch fetch-pack http-fetch')]],
]);

const builtIn: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'git',
    group(
      'add am annotate apply archimport archive backfill bisect blame branch bugreport bundle cat-file check-attr check-ignore ' +
        'check-mailmap check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph ' +
        'commit-tree config count-objects credential credential-cache credential-store cvsexportcommit cvsimport cvsserver daemon ' +
        'describe diagnose diff diff-files diff-index diff-pairs diff-tree difftool fast-export fast-import fetch fetch-pack ' +
        'filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch fsck fsck-objects gc get-tar-commit-id grep gui ' +
        'hash-object help hook http-backend http-fetch http-push imap-send index-pack init init-db instaweb interpret-trailers ' +
        'last-modified log ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index ' +
        'merge-octopus merge-one-file merge-ours merge-recursive merge-resolve merge-subtree merge-tree mergetool mktag mktree ' +
        'multi-pack-index mv name-rev notes p4 pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push ' +
        'quiltimport range-diff read-tree rebase receive-pack reflog refs remote repack replace replay repo request-pull rerere ' +
        'reset restore rev-list rev-parse revert rm send-email send-pack shell shortlog show show-branch show-index show-ref ' +
        'sparse-checkout stage stash status stripspace submodule svn switch symbolic-ref tag unpack-file unpack-objects ' +
        'update-index update-ref update-server-info upload-archive upload-pack var verify-commit verify-pack verify-tag version ' +
        'whatchanged worktree write-tree',
    ),
  ],
  [
    'cargo',
    group(
      'add b bench build c check clean clippy config d doc fetch fix fmt generate-lockfile git-checkout help info init install ' +
        'locate-project login logout metadata miri new owner package pkgid publish r read-manifest remove report rm run rustc ' +
        'rustdoc search t test tree uninstall update vendor verify-project version yank',
    ),
  ],
  [
    'gh',
    group(
      'agent-task alias api attestation auth browse cache codespace completion config copilot extension gist gpg-key help issue ' +
        'label licenses org pr preview project release repo ruleset run search secret ssh-key status variable version workflow',
    ),
  ],
]);
