import type { CommandWord } from '../command-part.ts';
import { type Listing, listing } from './listing.ts';
import { anyWord, firstThen, oneOf } from './operand.ts';

/** Lines that `sed -n` may print: `5p`, `1,20p`, `10,$p`. */
const printedLines = ({ text, isLiteral }: CommandWord): boolean =>
  isLiteral && /^\d+(?:,(?:\d+|\$))?p$/u.test(text);

const words = listing('', { operands: anyWord });
const saying = listing('', { anyWord: true });

const grep = listing(
  '-n --line-number -i --ignore-case -y -v --invert-match -w --word-regexp -x --line-regexp -c --count -l --files-with-matches -L ' +
    '--files-without-match -o --only-matching -q --quiet --silent -s --no-messages -h --no-filename -H --with-filename -r -R ' +
    '--recursive --dereference-recursive -E --extended-regexp -F --fixed-strings -G --basic-regexp -P --perl-regexp -e= --regexp= ' +
    '-f= --file= -m= --max-count= -A= --after-context= -B= --before-context= -C= --context= -# -a --text -I -U -b --byte-offset ' +
    '-z --null-data -Z --null -T --initial-tab --include= --exclude= --exclude-dir= --exclude-from= --color? --colour? ' +
    '--line-buffered --binary-files= --no-ignore-case --label= -V --version',
  { operands: anyWord },
);

const checksum = listing('-b -t -c --check --quiet --status -w --tag -z -a= --algorithm=', {
  operands: anyWord,
});

/** Programs that only show something. What writes or runs is not among their options here: `sort -o`, `rg --pre`, `find -exec`. */
export const readerListings: Readonly<Record<string, Listing>> = {
  echo: saying,
  printf: words,
  pwd: listing('-L -P'),
  true: saying,
  false: saying,
  whoami: listing(''),
  id: listing('-u -g -G -n -r', { operands: anyWord }),
  uname: listing('-a -s -n -r -v -m -p -o --all'),
  date: listing('-u --utc -I? --iso-8601? -R', {
    operands: ({ text }) => /^"?\+/u.test(text),
  }),
  sleep: words,
  cd: listing('', { operands: anyWord, most: 1 }),
  basename: listing('-a -s= -z', { operands: anyWord }),
  dirname: listing('-z', { operands: anyWord }),
  realpath: listing('-e -m -L -P -q -s -z --relative-to= --relative-base=', { operands: anyWord }),
  readlink: listing('-f -e -m -n -q -s -v -z', { operands: anyWord }),
  which: listing('-a -s --all', { operands: anyWord }),
  ls: listing(
    '-a -A -l -h -t -r -S -R -1 -d -F -p -i -s -n -o -g -G -k -L -H -u -c -U -X -v -x -m -C -Q -b -q -N -Z -T= -w= -I= --all ' +
      '--almost-all --human-readable --si --recursive --reverse --directory --classify? --color? --full-time --time-style= ' +
      '--group-directories-first --sort= --time= --size --inode --numeric-uid-gid --no-group --ignore= --hide= --quoting-style= ' +
      '--width= --format= --dereference --indicator-style= --block-size= --author --escape --literal --version',
    { operands: anyWord },
  ),
  cat: listing(
    '-n -b -s -A -e -E -t -T -v -u --number --number-nonblank --squeeze-blank --show-all --show-ends --show-tabs',
    {
      operands: anyWord,
    },
  ),
  head: listing('-n= -c= -q -v -z -# --lines= --bytes= --quiet --silent --verbose', { operands: anyWord }),
  tail: listing(
    '-n= -c= -f -F -q -v -z -r -# --lines= --bytes= --follow? --retry --quiet --silent --verbose --pid= -s= --sleep-interval=',
    { operands: anyWord },
  ),
  wc: listing('-l -w -c -m -L --lines --words --bytes --chars --max-line-length --total=', {
    operands: anyWord,
  }),
  sort: listing(
    '-n -r -u -f -b -d -g -h -i -M -V -R -s -z -c -C -m -k= -t= --numeric-sort --reverse --unique --ignore-case --key= ' +
      '--field-separator= --human-numeric-sort --version-sort --general-numeric-sort --stable --check? --merge --zero-terminated',
    { operands: anyWord },
  ),
  // The second file is written.
  uniq: listing(
    '-c -d -D -u -i -z -f= -s= -w= --count --repeated --unique --ignore-case --skip-fields= --skip-chars=',
    {
      operands: anyWord,
      most: 1,
    },
  ),
  cut: listing(
    '-d= -f= -c= -b= -s -z -n --delimiter= --fields= --characters= --bytes= --only-delimited --complement --output-delimiter=',
    {
      operands: anyWord,
    },
  ),
  tr: listing('-d -s -c -C -t --delete --squeeze-repeats --complement', { operands: anyWord }),
  nl: listing('-b= -n= -w= -s= -v= -i= -h= -f=', { operands: anyWord }),
  comm: listing('-1 -2 -3 -i -z --output-delimiter= --total --check-order --nocheck-order', {
    operands: anyWord,
  }),
  diff: listing(
    '-u -U= -c -C= -r -q -s -i -w -b -B -N -a -y -W= -d -E -Z -t -T -p -F= -x= -X= --unified? --context? --brief ' +
      '--report-identical-files --recursive --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --new-file ' +
      '--text --side-by-side --width= --minimal --color? --exclude= --strip-trailing-cr --label= --suppress-common-lines',
    { operands: anyWord },
  ),
  cmp: listing('-s -l -b -n= -i= --silent --quiet --verbose', { operands: anyWord }),
  grep,
  egrep: grep,
  fgrep: grep,
  rg: listing(
    '-n --line-number -N --no-line-number -i --ignore-case -S --smart-case -s --case-sensitive -v --invert-match -w --word-regexp -x ' +
      '--line-regexp -c --count --count-matches -l --files-with-matches --files-without-match --files -o --only-matching -q --quiet ' +
      '-F --fixed-strings -P --pcre2 -U --multiline --multiline-dotall -e= --regexp= -g= --glob= --iglob= -t= --type= -T= --type-not= ' +
      '--type-list -A= --after-context= -B= --before-context= -C= --context= -m= --max-count= --max-depth= -d= --hidden -. --no-ignore ' +
      '--no-ignore-vcs -u -uu -uuu --unrestricted -L --follow -a --text --heading --no-heading -H --with-filename -I --no-filename ' +
      '--column --color= --colors= --json --vimgrep --sort= --sortr= --stats --trim -r= --replace= --passthru --null -0 --max-columns= ' +
      '-M= --max-columns-preview --max-filesize= --debug --no-messages --crlf --binary -j= --threads= --encoding= -E= --no-config -V --version',
    { operands: anyWord },
  ),
  // Not here: `-exec`, `-execdir`, `-ok`, `-okdir`, `-delete`, `-fprint`, `-fprintf`, `-fls`.
  find: listing(
    '-name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -regextype= -type= -xtype= -size= -empty -maxdepth= ' +
      '-mindepth= -mtime= -mmin= -atime= -amin= -ctime= -cmin= -newer= -newermt= -perm= -user= -group= -uid= -gid= -nouser -nogroup ' +
      '-links= -inum= -samefile= -lname= -ilname= -readable -writable -executable -print -print0 -printf= -ls -prune -quit -o -or -a ' +
      '-and -not -depth -mount -xdev -follow -H -L -P -true -false -noleaf -daystart',
    { operands: anyWord, singleDash: true },
  ),
  fd: listing(
    '-e= --extension= -t= --type= -H --hidden -I --no-ignore -g --glob -F --fixed-strings -i -s -a --absolute-path -l --list-details -L ' +
      '--follow -p --full-path -d= --max-depth= --min-depth= -E= --exclude= -0 --print0 -S= --size= --changed-within= --color= -u',
    { operands: anyWord },
  ),
  stat: listing('-c= --format= --printf= -f -L -t -x -s', { operands: anyWord }),
  file: listing('-b -i -L -h -k -p -r -s --brief --mime --mime-type --mime-encoding', { operands: anyWord }),
  du: listing(
    '-s -h -a -c -d= --max-depth= -k -m -b -x -L --summarize --human-readable --all --total --apparent-size --exclude= --si',
    {
      operands: anyWord,
    },
  ),
  df: listing('-h -H -i -k -m -T -a -P -l --human-readable --total -t= -x=', { operands: anyWord }),
  jq: listing(
    '-r -c -n -e -s -S -M -C -R -a -j --raw-output --compact-output --null-input --exit-status --slurp --sort-keys --raw-input --tab --indent=',
    {
      operands: anyWord,
    },
  ),
  // Its scripts can run and write: only the ones that print lines, and only with `-n`, are known.
  sed: listing('-n -E -r --quiet --silent', { operands: firstThen(printedLines, anyWord) }),
  md5sum: checksum,
  sha1sum: checksum,
  sha256sum: checksum,
  sha512sum: checksum,
  shasum: checksum,
  cksum: checksum,
  hexdump: listing('-C -n= -s= -v -c -d -x', { operands: anyWord }),
  od: listing('-A= -t= -c -x -d -N= -j= -v', { operands: anyWord }),
  ps: listing('-e -f -a -u= -x -p= -o= -A -l --sort= --no-headers', { operands: oneOf('aux ax') }),
};
