import { type Listing, listing } from './listing.ts';
import { anyWord, firstThen, oneOf, plainName, refWord, revisionWord } from './operand.ts';

/** How commits and diffs are shown. Not here: `--output`, `--ext-diff`, `--textconv`, `-O`, which write, run or open files. */
const shown =
  '-p --patch -u -s --no-patch -U= --unified= --stat --stat? --numstat --shortstat --dirstat? --summary --name-only ' +
  '--name-status --raw --minimal --patience --histogram --color? --no-color --word-diff? --color-words? --no-renames ' +
  '-M? --find-renames? -C? --find-copies? --diff-filter= -S= -G= --pickaxe-regex --pickaxe-all -w --ignore-all-space -b ' +
  '--ignore-space-change --ignore-blank-lines --ignore-space-at-eol --check --exit-code --quiet -q -z --abbrev? --full-index ' +
  '--binary -a --text -R --relative? --no-ext-diff --no-textconv --no-prefix --inter-hunk-context= -W --function-context ' +
  '--diff-algorithm= --compact-summary --cc -c --no-color-moved --color-moved? --submodule?';

const commits =
  '-# -n= --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep= --all-match -i ' +
  '--regexp-ignore-case -E -F -P --invert-grep --merges --no-merges --first-parent --all --branches? --tags? --remotes? ' +
  '--oneline --pretty? --format= --abbrev-commit --no-abbrev-commit --graph --decorate? --no-decorate --date= --reverse ' +
  '--follow -L= --topo-order --date-order --left-right --cherry-pick --cherry-mark --cherry --merge ' +
  '--no-notes --notes? --source --full-history --simplify-by-decoration --ancestry-path? -g --walk-reflogs --no-walk? --mailmap';

const log = listing(`${shown} ${commits}`, { operands: revisionWord });

const remote = oneOf('origin upstream');

/**
 * Subcommands of git. Those that run other programs are excluded: `rebase --exec`, `bisect run`, `submodule foreach`.
 */
export const gitListing: Listing = listing(
  '--no-pager --no-optional-locks --literal-pathspecs --version --help -v -h',
  {
    subcommands: {
      status: listing(
        '-s --short -b --branch --show-stash --porcelain? --long -v --verbose -u? --untracked-files? --ignored? -z --no-renames ' +
          '--ahead-behind --no-ahead-behind --column? --no-column --ignore-submodules?',
        { operands: revisionWord },
      ),
      log,
      shortlog: listing(`-s -n -e --summary --numbered --email ${commits}`, { operands: revisionWord }),
      whatchanged: log,
      show: log,
      diff: listing(`${shown} --cached --staged --merge-base -0 --base --ours --theirs`, {
        operands: revisionWord,
      }),
      'diff-tree': listing(`${shown} -r -t --root --stdin -m --no-commit-id`, { operands: revisionWord }),
      blame: listing(
        '-L= -l -t -s -e -w -M? -C? -p --porcelain --line-porcelain --since= --date= --root -f -n --show-email --show-name',
        { operands: revisionWord },
      ),
      grep: listing(
        '-n --line-number -i --ignore-case -w --word-regexp -v --invert-match -E --extended-regexp -F --fixed-strings -G -P ' +
          '--perl-regexp -l --files-with-matches --name-only -L --files-without-match -c --count -h -H -o --only-matching -I ' +
          '--text -a -z --null --heading --break -p --show-function -W --function-context -A= --after-context= -B= ' +
          '--before-context= -C= --context= -# -e= --and --or --not --all-match -q --quiet --cached --untracked --no-index ' +
          '--no-exclude-standard --exclude-standard --max-depth= -r --recursive --color? --no-color --column -m= --max-count=',
        { operands: revisionWord },
      ),
      'ls-files': listing(
        '-c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -u --unmerged -z -t -v --exclude-standard ' +
          '-x= --exclude= --full-name --error-unmatch --directory --deduplicate --eol',
        { operands: revisionWord },
      ),
      'ls-tree': listing(
        '-d -r -t -l --long -z --name-only --name-status --full-name --full-tree --abbrev? --format=',
        {
          operands: revisionWord,
        },
      ),
      'cat-file': listing('-t -s -e -p', { operands: revisionWord }),
      'rev-parse': listing(
        '--abbrev-ref? --short? --verify -q --quiet --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir ' +
          '--absolute-git-dir --git-common-dir --is-inside-work-tree --is-bare-repository --is-inside-git-dir --all',
        { operands: revisionWord },
      ),
      'rev-list': listing(`--count --objects --parents --children ${commits}`, { operands: revisionWord }),
      'merge-base': listing('-a --all --octopus --is-ancestor --fork-point --independent', {
        operands: revisionWord,
      }),
      'name-rev': listing('--tags --refs= --name-only --always', { operands: revisionWord }),
      'for-each-ref': listing(
        '--format= --sort= --count= --points-at= --merged? --no-merged? --contains? --color?',
        {
          operands: revisionWord,
        },
      ),
      'show-ref': listing(
        '--heads --tags --branches -d --dereference -s --hash? --verify -q --quiet --head',
        {
          operands: revisionWord,
        },
      ),
      'check-ignore': listing('-v --verbose -q --quiet -n --non-matching --no-index', {
        operands: revisionWord,
      }),
      'count-objects': listing('-v --verbose -H --human-readable'),
      describe: listing(
        '--tags --all --long --always --abbrev= --dirty? --broken? --match= --exclude= --contains --first-parent',
        {
          operands: revisionWord,
        },
      ),
      version: listing('--build-options'),
      branch: listing(
        '-a --all -r --remotes -v -vv --verbose --list -l --show-current --contains= --no-contains= --merged? --no-merged? ' +
          '--sort= --format= --color? --no-color --points-at= -i --ignore-case --column? --abbrev?',
      ),
      tag: listing(
        '-l --list -n? --sort= --format= --contains= --no-contains= --merged? --points-at= --column?',
      ),
      remote: listing('-v --verbose', {
        subcommands: {
          show: listing('-n', { operands: remote }),
          'get-url': listing('--all --push', { operands: plainName }),
        },
      }),
      // Alone it changes the work tree.
      stash: listing('', {
        namedOnly: true,
        subcommands: {
          list: listing(`${shown} ${commits}`),
          show: listing(shown, { operands: revisionWord }),
          push: listing('-m= --message= -u --include-untracked -k --keep-index -q --quiet -S --staged', {
            operands: revisionWord,
            namedOnly: true,
          }),
          pop: listing('--index -q --quiet', { operands: revisionWord, namedOnly: true }),
          apply: listing('--index -q --quiet', { operands: revisionWord, namedOnly: true }),
        },
      }),
      notes: listing('', {
        subcommands: {
          list: listing('', { operands: revisionWord }),
          show: listing('', { operands: revisionWord }),
        },
      }),
      add: listing(
        '-A --all -u --update -v --verbose -n --dry-run -N --intent-to-add -f --force --renormalize',
        {
          operands: revisionWord,
          namedOnly: true,
        },
      ),
      commit: listing(
        '-a --all -m= --message= -q --quiet -v --verbose --amend --no-edit --allow-empty -s --signoff --dry-run --short ' +
          '--porcelain --fixup= --squash= --author= --date= --reset-author -n --no-verify',
        { operands: revisionWord, namedOnly: true },
      ),
      push: listing(
        '-u --set-upstream -v --verbose -q --quiet -n --dry-run --tags --follow-tags --porcelain --progress --atomic',
        {
          operands: firstThen(remote, refWord),
          namedOnly: true,
        },
      ),
      fetch: listing(
        '--all -p --prune -t --tags -n --no-tags -v --verbose -q --quiet --dry-run --progress --depth= --unshallow',
        {
          operands: firstThen(remote, refWord),
          namedOnly: true,
        },
      ),
      pull: listing(
        '--ff-only --ff --no-ff --rebase --no-rebase -v --verbose -q --quiet -p --prune --tags --autostash --no-edit',
        {
          operands: firstThen(remote, refWord),
          namedOnly: true,
        },
      ),
      switch: listing('-c= --create= -d --detach -q --quiet -t --track --no-track --guess --no-guess', {
        operands: refWord,
        namedOnly: true,
      }),
      checkout: listing('-b= -q --quiet -t --track --no-track --detach -d', {
        operands: revisionWord,
        neverOffered: true,
      }),
      merge: listing(
        '--ff-only --ff --no-ff --no-edit -m= --squash --no-commit --commit -q --quiet -v --abort --continue --stat',
        {
          operands: refWord,
          namedOnly: true,
        },
      ),
      'cherry-pick': listing('-x -n --no-commit -m= --mainline= --abort --continue --skip --quit', {
        operands: refWord,
        namedOnly: true,
      }),
      revert: listing('-n --no-commit --no-edit -m= --mainline= --abort --continue --skip --quit', {
        operands: revisionWord,
        namedOnly: true,
      }),
      restore: listing('-S --staged -W --worktree -s= --source= -q --quiet', {
        operands: anyWord,
        neverOffered: true,
      }),
      reset: listing('--soft --mixed --hard --keep -q --quiet', {
        operands: revisionWord,
        neverOffered: true,
      }),
      rm: listing('-r -f --force --cached -n --dry-run -q --quiet', {
        operands: revisionWord,
        neverOffered: true,
      }),
      mv: listing('-f --force -k -n --dry-run -v --verbose', { operands: revisionWord, neverOffered: true }),
    },
  },
);
