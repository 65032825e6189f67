import { type Listing, listing } from './listing.ts';
import { type OperandCheck, insideWord, oneOf, plainName } from './operand.ts';

const cargoOptions =
  '-v -vv --verbose -q --quiet --release -r --offline --locked --frozen --workspace --all --lib --bins --examples --tests ' +
  '--benches --all-targets --doc -p= --package= --exclude= --bin= --example= --test= --bench= -F= --features= --all-features ' +
  '--no-default-features -j= --jobs= --keep-going --no-fail-fast --no-run --profile= --color=auto|always|never ' +
  '--message-format=human|short|json';

/** Options of Rust's test harness. */
const harness = listing(
  '--nocapture --ignored --include-ignored --exact --skip= --test-threads= --show-output -q --list',
  {
    operands: plainName,
  },
);

const cargoBuild = listing(cargoOptions);
const cargoTest = listing(cargoOptions, { operands: plainName, most: 1, passedOn: harness });
const cargoTree = listing(
  '-i= --invert= --depth= -d --duplicates -e= --edges= -p= --package= --workspace --offline --locked',
);

/**
 * Excludes `--config`, `--manifest-path`, `--target-dir`, `-Z` and `+toolchain`, which choose what is run or written.
 */
export const cargoListing: Listing = listing('-V --version --list', {
  subcommands: {
    build: cargoBuild,
    b: cargoBuild,
    check: cargoBuild,
    c: cargoBuild,
    clippy: listing(cargoOptions),
    test: cargoTest,
    t: cargoTest,
    bench: listing(cargoOptions, { operands: plainName, most: 1, namedOnly: true }),
    doc: listing(`${cargoOptions} --no-deps`),
    run: listing('-v --verbose -q --quiet --release -r --offline --locked --frozen', { namedOnly: true }),
    fmt: listing('--check --all -q --quiet -v --verbose -p= --package='),
    tree: cargoTree,
    metadata: listing('--format-version= --no-deps --offline --locked'),
    version: listing(''),
  },
});

const goBuild = '-v -x -n -race -short -json -tags= -p= -trimpath -mod=readonly|vendor';

/** Excluded: `-exec`, `-toolexec`, `-o`, `-overlay`, `-modfile`, and the options that write profiles. */
export const goListing: Listing = listing('', {
  singleDash: true,
  subcommands: {
    test: listing(
      `${goBuild} -run= -bench= -benchtime= -benchmem -count= -cover -failfast -timeout= -parallel= -cpu= -shuffle= -skip= -list= -vet=off`,
      { singleDash: true, operands: insideWord },
    ),
    build: listing(goBuild, { singleDash: true, operands: insideWord }),
    vet: listing('-v -json -tags=', { singleDash: true, operands: insideWord }),
    list: listing('-json -m -deps -f= -e -test -u -versions', { singleDash: true, operands: insideWord }),
    fmt: listing('-n -x', { singleDash: true, operands: insideWord }),
    doc: listing('-all -c -short -src -u', { singleDash: true, operands: insideWord }),
    version: listing('-m', { singleDash: true }),
    mod: listing('', {
      subcommands: {
        tidy: listing('-v -e', { singleDash: true }),
        verify: listing(''),
        graph: listing(''),
        why: listing('-m', { singleDash: true, operands: insideWord }),
        download: listing('-x -json', { singleDash: true }),
      },
    }),
  },
});

/** A target of its own each time; not `VAR=value`, `--eval`, `-f`, `-C`, `-I`, `-E`. */
export const makeListing: Listing = listing(
  '-j?# --jobs?# -k --keep-going -s --silent --quiet -n --dry-run -B --always-make -i -w --no-print-directory',
  {
    operands: plainName,
    most: 1,
    naming: 1,
  },
);

export const justListing: Listing = listing('-l --list -n --dry-run -q --quiet -v --verbose', {
  operands: plainName,
  most: 1,
  naming: 1,
});

const dotnetOptions =
  '-c= --configuration=Debug|Release -f= --framework= --no-build --no-restore --nologo -v= --verbosity= --no-dependencies';
const project: OperandCheck = (word, index) =>
  word.isLiteral && !/[;%:]/u.test(word.text) && insideWord(word, index);

export const dotnetListing: Listing = listing('--info --version --list-sdks --list-runtimes', {
  subcommands: {
    build: listing(dotnetOptions, { operands: project, most: 1 }),
    test: listing(`${dotnetOptions} --filter= -t --list-tests --blame`, { operands: project, most: 1 }),
    restore: listing('--nologo --no-cache', { operands: project, most: 1 }),
    list: listing('', { operands: oneOf('package reference') }),
  },
});

const mavenGoals = oneOf('validate compile test-compile test package verify process-resources');

/** Goals of plugins and `-D` can run anything. */
export const mavenListing: Listing = listing(
  '-q --quiet -B --batch-mode -o --offline -e --errors -U -v --version -V -DskipTests -DskipITs -am --also-make -nsu -ntp --no-transfer-progress -fae -ff -fn',
  { operands: mavenGoals, naming: 1, singleDash: true, most: 1 },
);

const gradleTasks = oneOf(
  'build test check assemble classes testClasses compileJava compileKotlin tasks dependencies projects properties help',
);

/** Excludes `-I`, `-b`, `-c`, `-p`, `-P` and `-D`, which choose what is run. */
export const gradleListing: Listing = listing(
  '-q --quiet -i --info -d --debug -s --stacktrace -S --full-stacktrace --offline --no-daemon --daemon --continue --parallel ' +
    '--rerun-tasks --tests= --console=plain|auto|rich|verbose --build-cache --no-build-cache -v --version --dry-run -m',
  { operands: gradleTasks, naming: 1, most: 1 },
);

export const terraformListing: Listing = listing('-version -help', {
  singleDash: true,
  subcommands: {
    plan: listing(
      '-no-color -input=false -json -detailed-exitcode -refresh=true|false -lock=true|false -compact-warnings -target= -parallelism= -lock-timeout=',
      { singleDash: true, namedOnly: true },
    ),
    validate: listing('-json -no-color', { singleDash: true }),
    fmt: listing('-check -diff -recursive -no-color -list=true|false -write=false', {
      singleDash: true,
      operands: insideWord,
    }),
    show: listing('-json -no-color', { singleDash: true, operands: insideWord }),
    output: listing('-json -raw -no-color', { singleDash: true, operands: plainName }),
    version: listing('-json', { singleDash: true }),
    providers: listing('', { singleDash: true }),
    graph: listing('', { singleDash: true }),
    state: listing('', {
      singleDash: true,
      subcommands: {
        list: listing('', { operands: plainName }),
        show: listing('-no-color', { singleDash: true, operands: plainName }),
      },
    }),
    workspace: listing('', { singleDash: true, subcommands: { list: listing(''), show: listing('') } }),
  },
});
