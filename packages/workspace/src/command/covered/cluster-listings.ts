import { type Listing, listing } from './listing.ts';
import { anyWord, oneOf, plainName } from './operand.ts';

const shown =
  '-a --all -q --quiet --no-trunc --format= -f= --filter= -n= --last= -l --latest -s --size --digests';
const inspect = listing('-f= --format= -s --size --type=', { operands: plainName });
const logs = listing(
  '-f --follow --tail= -n= --since= --until= -t --timestamps --details --no-color --no-log-prefix',
  {
    operands: plainName,
  },
);
const list = listing(shown, { operands: plainName });

/** Not here: `-H`, `--context` and `--config`, which reach another machine, and `-f` of `compose`, which names another project. */
export const containersListing: Listing = listing('-v --version', {
  subcommands: {
    ps: listing(shown),
    images: list,
    logs,
    inspect,
    top: listing('', { operands: plainName }),
    stats: listing('-a --all --no-stream --no-trunc --format=', { operands: plainName }),
    port: listing('', { operands: plainName }),
    diff: listing('', { operands: plainName }),
    history: listing('-q --no-trunc -H --format=', {
      operands: ({ text, isLiteral }) => isLiteral && /^[\w./:@-]+$/u.test(text),
    }),
    version: listing('-f= --format='),
    info: listing('-f= --format='),
    search: listing('--limit= --no-trunc --format= -f= --filter=', { operands: plainName }),
    build: listing(
      '-t= --tag= --no-cache --pull -q --quiet --progress=auto|plain|tty --target= --platform=',
      {
        operands: oneOf('. ./'),
        most: 1,
        namedOnly: true,
      },
    ),
    compose: listing('', {
      subcommands: {
        ps: listing('-a --all -q --quiet --services --format= --status= --filter=', { operands: plainName }),
        logs,
        ls: listing('-a --all -q --quiet --format='),
        images: listing('-q --quiet --format=', { operands: plainName }),
        top: listing('', { operands: plainName }),
        version: listing('--short -f= --format='),
        up: listing(
          '-d --detach --build --wait --no-deps --remove-orphans --no-build --no-recreate --force-recreate --quiet-pull',
          {
            operands: plainName,
            namedOnly: true,
          },
        ),
        build: listing('--no-cache --pull -q --quiet', { operands: plainName, namedOnly: true }),
      },
    }),
    container: listing('', { subcommands: { ls: listing(shown), list: listing(shown), inspect, logs } }),
    image: listing('', { subcommands: { ls: list, list, inspect } }),
    network: listing('', { subcommands: { ls: listing(shown), inspect } }),
    volume: listing('', { subcommands: { ls: listing(shown), inspect } }),
    context: listing('', { subcommands: { ls: listing('-q --format='), show: listing('') } }),
  },
});

const output = '-o=json|yaml|wide|name --output=json|yaml|wide|name';
const where = '-n= --namespace= -A --all-namespaces';
const resource = ({ text, isLiteral }: { readonly text: string; readonly isLiteral: boolean }): boolean =>
  isLiteral && /^[A-Za-z0-9][\w.,/:-]*$/u.test(text);

/** Excludes `--kubeconfig`, `--server` and `--context`, which choose a cluster and its credentials. */
export const kubectlListing: Listing = listing('', {
  subcommands: {
    get: listing(
      `${output} ${where} -l= --selector= --field-selector= -w --watch --no-headers --show-labels --sort-by= --ignore-not-found -L=`,
      {
        operands: resource,
      },
    ),
    describe: listing(`${where} -l= --selector= --show-events`, { operands: resource }),
    logs: listing(
      '-n= --namespace= -c= --container= -f --follow -p --previous --since= --tail= --timestamps --all-containers -l= --selector= --prefix',
      {
        operands: resource,
      },
    ),
    top: listing(`${where} -l= --selector= --containers --no-headers --sort-by=`, { operands: resource }),
    explain: listing('--recursive --api-version=', { operands: resource }),
    version: listing('-o=json|yaml --output=json|yaml --client'),
    'api-resources': listing('--namespaced --verbs= --api-group= -o=wide|name'),
    'api-versions': listing(''),
    'cluster-info': listing(''),
    rollout: listing('', {
      subcommands: {
        status: listing('-n= --namespace= -w --watch --timeout=', { operands: resource }),
        history: listing('-n= --namespace= --revision=', { operands: resource }),
      },
    }),
    config: listing('', {
      subcommands: {
        'current-context': listing(''),
        'get-contexts': listing('-o=name --no-headers'),
        view: listing('--minify'),
      },
    }),
    auth: listing('', {
      subcommands: { 'can-i': listing(`${where} --list -q`, { operands: resource }), whoami: listing('') },
    }),
  },
});

const json = '--json= -q= --jq= -L= --limit=';
const search = '-s= --state= -A= --author= -a= --assignee= -l= --label= -S= --search= --base= --head=';

/** Excludes `--web` and `--editor`, which start programs, and all commands that write to GitHub. */
export const ghListing: Listing = listing('--version', {
  subcommands: {
    pr: listing('', {
      subcommands: {
        view: listing('-c --comments --json= -q= --jq=', { operands: plainName }),
        list: listing(`${json} ${search} -d --draft`),
        status: listing('-c --conflict-status --json= -q= --jq='),
        checks: listing('--watch --required --fail-fast -i= --interval= --json= -q= --jq=', {
          operands: plainName,
        }),
        diff: listing('--name-only --patch --color=always|never|auto', { operands: plainName }),
      },
    }),
    issue: listing('', {
      subcommands: {
        view: listing('-c --comments --json= -q= --jq=', { operands: plainName }),
        list: listing(`${json} ${search}`),
        status: listing('--json= -q= --jq='),
      },
    }),
    run: listing('', {
      subcommands: {
        list: listing(
          `${json} -w= --workflow= -b= --branch= -s= --status= -u= --user= -e= --event= -c= --commit=`,
        ),
        view: listing('--log --log-failed -v --verbose --exit-status -j= --job= --json= -q= --jq=', {
          operands: plainName,
        }),
        watch: listing('--exit-status -i= --interval= --compact', { operands: plainName }),
      },
    }),
    repo: listing('', {
      subcommands: {
        view: listing('-b= --branch= --json= -q= --jq=', { operands: resource }),
        list: listing(`${json} --fork --source --archived --no-archived --language= --visibility=`, {
          operands: plainName,
        }),
      },
    }),
    release: listing('', {
      subcommands: {
        list: listing(`${json} --exclude-drafts`),
        view: listing('--json= -q= --jq=', { operands: plainName }),
      },
    }),
    workflow: listing('', {
      subcommands: {
        list: listing(`${json} -a --all`),
        view: listing('-y --yaml -r= --ref=', { operands: plainName }),
      },
    }),
    search: listing('', {
      subcommands: {
        code: listing(`${json} --repo= --language= --filename= --extension= --owner=`, { operands: anyWord }),
        issues: listing(`${json} ${search} --repo= --owner=`, { operands: anyWord }),
        prs: listing(`${json} ${search} --repo= --owner=`, { operands: anyWord }),
        repos: listing(`${json} --owner= --language= --topic=`, { operands: anyWord }),
      },
    }),
  },
});
