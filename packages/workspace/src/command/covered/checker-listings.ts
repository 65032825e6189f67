import { type Listing, listing } from './listing.ts';
import { insideWord } from './operand.ts';

/** Not here: `--outDir`, `--declarationDir` and the like, which write elsewhere, and `@FILE`. */
export const tscListing: Listing = listing(
  '--noEmit -w --watch -b --build -v --version -p=inside --project=inside --pretty --incremental --skipLibCheck --strict --listFiles ' +
    '--showConfig --explainFiles --diagnostics --extendedDiagnostics --verbose --dry',
  { operands: insideWord },
);

/** Not here: `--config`, `--plugin`, `--parser`, `--rulesdir`, `--format` of a file, `--output-file`, `--fix`. */
export const eslintListing: Listing = listing(
  '--ext= --quiet --max-warnings= --no-color --color --no-inline-config --report-unused-disable-directives ' +
    '--no-error-on-unmatched-pattern -v --version -f=stylish|json|html --format=stylish|json|html --pass-on-no-patterns',
  { operands: insideWord },
);

/** Not here: `--write`, `--config`, `--plugin`. */
export const prettierListing: Listing = listing(
  '-c --check -l --list-different --no-config --no-editorconfig -u --ignore-unknown --no-color --log-level=silent|error|warn|log|debug ' +
    '--loglevel=silent|error|warn|log|debug --no-error-on-unmatched-pattern -v --version --single-quote --tab-width= --print-width=',
  { operands: insideWord },
);

const reporters = 'default|basic|verbose|dot|json|tap|tap-flat|hanging-process|github-actions';

export const vitestListing: Listing = listing(
  `--run --watch -w -t= --testNamePattern= --bail? --silent --passWithNoTests --no-color --color --changed? --project= --reporter=${reporters} ` +
    '--retry= --testTimeout= --hideSkippedTests --allowOnly --logHeapUsage -v --version --exclude= --shard= --no-isolate --sequence.shuffle',
  { operands: insideWord },
);

export const jestListing: Listing = listing(
  '-t= --testNamePattern= --watch --watchAll --ci --silent --verbose -b --bail? -i --runInBand --passWithNoTests -o --onlyChanged ' +
    '--listTests --maxWorkers= -w= --no-color --colors --errorOnDeprecated --detectOpenHandles --forceExit --showConfig ' +
    '--testPathPattern= --testPathPatterns= --testPathIgnorePatterns= --expand -v --version -f --onlyFailures',
  { operands: insideWord },
);

/** Not here: `-p`, `-c`, `-o`, `--rootdir`, `--basetemp`, `--confcutdir`, and the options that write reports. */
export const pytestListing: Listing = listing(
  '-v -vv -vvv --verbose -q -qq --quiet -s -x --exitfirst -k= -m= --maxfail= --tb=auto|long|short|line|native|no -l --showlocals ' +
    '--lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --durations= --durations-min= --collect-only --co ' +
    '--no-header --no-summary -r= --color=yes|no|auto --strict-markers --strict-config --markers --fixtures -V --version ' +
    '--disable-warnings --runxfail --setup-show -n= --deselect= --ignore= --ignore-glob= --cache-show?',
  { operands: insideWord },
);
