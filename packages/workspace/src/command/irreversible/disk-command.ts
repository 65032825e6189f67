import type { CommandWord } from '../command-part.ts';

/** Why a program must not be run with these words, if they overwrite a disk. */
export function judgeDisk(name: string, words: readonly CommandWord[]): string | undefined {
  return overwritesDisk(name, words) ? writesDisk : judgeTee(name, words);
}

/** Why nothing must be written to this file. */
export function judgeWrite(target: string): string | undefined {
  if (/^\/proc\/sysrq-trigger$/u.test(target)) return 'It stops the machine';
  return isDisk(target) ? writesDisk : undefined;
}

const writesDisk = 'It overwrites a disk';

function judgeTee(name: string, words: readonly CommandWord[]): string | undefined {
  return name === 'tee'
    ? words.map(({ text }) => judgeWrite(text)).find((reason) => reason !== undefined)
    : undefined;
}

function overwritesDisk(name: string, words: readonly CommandWord[]): boolean {
  const texts = words.map(({ text }) => text);
  const named = texts.filter((text) => !text.startsWith('-'));
  switch (name) {
    case 'dd':
      return texts.some((text) => text.startsWith('of=') && isDisk(text.slice(3)));
    case 'shred':
    case 'truncate':
    case 'wipefs':
    case 'blkdiscard':
    case 'mkswap':
    case 'badblocks':
      return named.some(isDisk);
    case 'cp':
    case 'mv':
    case 'install':
      return isDisk(named.at(-1) ?? '');
    case 'fdisk':
    case 'sfdisk':
    case 'cfdisk':
    case 'gdisk':
    case 'sgdisk':
    case 'parted': {
      const isLook = texts.some((text) => /^(?:-l|--list|-p|--print|print|-d|--dump|-s)$/u.test(text));
      return named.some(isDisk) && !isLook;
    }
    case 'cryptsetup':
      return /luksFormat|erase/u.test(texts.join(' ')) && named.some(isDisk);
    case 'diskutil':
      return /^(?:erase|partition|zero|secureErase)/iu.test(named[0] ?? '');
    case 'hdparm':
      return texts.some((text) => /^--(?:security-erase|trim-sector|write-sector)/u.test(text));
    case 'nvme':
      return named[0] === 'format' || named[0] === 'sanitize';
    case 'mdadm':
      return texts.includes('--zero-superblock');
    case 'pvremove':
    case 'vgremove':
    case 'lvremove':
      return !texts.some((text) => /^(?:-t|--test|-h|--help)$/u.test(text));
    case 'zpool':
      return named[0] === 'destroy' || named[0] === 'labelclear';
    case 'zfs':
      return named[0] === 'destroy' && !texts.some((text) => /^-[a-zA-Z]*n/u.test(text));
    default:
      return /^(?:mkfs|mke2fs|newfs)(?:$|[._])|^mkfs\.|^mkntfs$/u.test(name) && formatsDisk(words);
  }
}

/** A file in place of a disk may be formatted; an unknown target may not. */
function formatsDisk(words: readonly CommandWord[]): boolean {
  return words.some(({ text, isLiteral }) => isDisk(text) || !isLiteral);
}

/** Any path in `/dev` that may contain data. */
function isDisk(path: string): boolean {
  const plain = path.replaceAll(/["'\\]/gu, '').replaceAll(/\/(?:\.?\/)+/gu, '/');
  const name = /^\/dev\/(.+)$/u.exec(plain)?.[1];
  if (name === undefined) return false;
  return !/^(?:null|zero|full|u?random|std(?:in|out|err)|fd\/.*|tty\w*|pts\/.*|ptmx|console|shm\/.*|tcp\/.*|udp\/.*|kmsg|log|dsp|audio|input\/.*|usb\/.*|serial\/.*|cu\..*)$/u.test(
    name,
  );
}
