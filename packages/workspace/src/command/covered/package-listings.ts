import { type Listing, listing } from './listing.ts';
import { insideWord, plainName } from './operand.ts';

const chosen =
  '--watch --run --silent --quiet --verbose --bail --ci -t= --grep= --testNamePattern= --no-color';

/**
 * Harmless arguments of a project's tests: names of tests and files, and options that only choose what is displayed.
 */
const testWords = listing(chosen, { operands: insideWord });

/** Harmless arguments of a script that may be any program, which could run a file. */
const scriptWords = listing(chosen);

const npmOptions =
  '-s --silent -q --quiet --if-present --workspaces -ws --include-workspace-root --no-fund --no-audit --no-color --no-progress ' +
  '--loglevel=silent|error|warn|notice|http|info|verbose';

const npmTest = listing(npmOptions, { operands: insideWord, passedOn: testWords });
const npmScript = listing(npmOptions, { passedOn: scriptWords });
const npmRun = listing(npmOptions, { operands: plainName, most: 1, passedOn: scriptWords, naming: 1 });
const shown = '--json --long -l --parseable -p -g --global -a --all --depth= --no-color';
/** These commands run the scripts of installed packages, but only of those that the project already names. */
const npmInstall = listing(
  `${npmOptions} --omit=dev|optional|peer --include=dev|optional|peer --prefer-offline --offline --legacy-peer-deps --ignore-scripts`,
  { neverOffered: true },
);

export const npmListing: Listing = listing('-v --version --help', {
  subcommands: {
    test: npmTest,
    t: npmTest,
    start: npmScript,
    stop: npmScript,
    restart: npmScript,
    run: npmRun,
    'run-script': npmRun,
    ls: listing(shown, { operands: plainName }),
    list: listing(shown, { operands: plainName }),
    outdated: listing(shown, { operands: plainName }),
    view: listing('--json', {
      operands: ({ text, isLiteral }) => isLiteral && /^[@\w][\w./@-]*$/u.test(text),
    }),
    why: listing('--json', { operands: plainName }),
    explain: listing('--json', { operands: plainName }),
    audit: listing('--json --omit=dev|optional|peer --audit-level=low|moderate|high|critical'),
    root: listing('-g'),
    ci: npmInstall,
    install: npmInstall,
    i: npmInstall,
  },
});

/** Behind its name all words are the script's own. */
const script = listing(chosen, { passedOn: scriptWords, namedOnly: true });
const testScript = listing(chosen, { operands: insideWord, passedOn: testWords });
const run = listing('-s --silent --if-present', {
  operands: plainName,
  most: 1,
  passedOn: scriptWords,
  naming: 1,
});
const installed = listing(
  '--frozen-lockfile --immutable --offline --prefer-offline --ignore-scripts --silent',
  {
    neverOffered: true,
  },
);
const unlisted = listing('', { neverOffered: true });

/** Subcommands of these package managers that are no scripts; what is not listed is covered only as it is written. */
const builtIn = Object.fromEntries(
  (
    'add audit bin cache ci config constraints create dedupe deploy dlx doctor env exec explain fetch global help import init ' +
    'info install-test link login logout node npm pack patch patch-commit pkg plugin prune publish rebuild remove rm root ' +
    'server set setup store team tag un uninstall unlink unplug unpublish up update upgrade upgrade-interactive version ' +
    'versions workspace workspaces x build-bin i it pm repl recursive multi m r approve-builds ignored-builds self-update licenses ' +
    'cat-file cat-index find-hash completion stage search sponsor'
  )
    .split(' ')
    .map((name) => [name, unlisted]),
);

export const pnpmListing: Listing = listing('-v --version -s --silent', {
  subcommands: {
    ...builtIn,
    run,
    'run-script': run,
    test: testScript,
    t: testScript,
    install: installed,
    list: listing(shown, { operands: plainName }),
    ls: listing(shown, { operands: plainName }),
    outdated: listing('--json', { operands: plainName }),
    why: listing('--json', { operands: plainName }),
  },
  other: script,
});

export const yarnListing: Listing = listing('-v --version -s --silent', {
  subcommands: {
    ...builtIn,
    run,
    test: testScript,
    install: installed,
    list: listing('--json --depth='),
    outdated: listing('--json', { operands: plainName }),
    why: listing('--json', { operands: plainName }),
  },
  other: script,
});

/** `bun FILE` runs the file: a name with a dot is none of a script. */
export const bunListing: Listing = listing('-v --version', {
  subcommands: {
    ...builtIn,
    run: listing('--silent', { operands: scriptOfBun, most: 1, naming: 1 }),
    install: installed,
    test: listing('--bail? -t= --test-name-pattern= --timeout= --rerun-each= --only --todo --watch', {
      operands: insideWord,
    }),
  },
});

function scriptOfBun({ text, isLiteral }: { readonly text: string; readonly isLiteral: boolean }): boolean {
  return isLiteral && /^[A-Za-z][\w:-]*$/u.test(text);
}

const pipShown = listing(
  '-o --outdated -u --uptodate --format=columns|freeze|json --user -l --local -v -q --not-required',
  {
    operands: plainName,
  },
);

export const pipListing: Listing = listing('-V --version', {
  subcommands: {
    list: pipShown,
    show: listing('-f --files -v -q', { operands: plainName }),
    freeze: listing('-l --local --user --all'),
    check: listing('-q'),
  },
});
