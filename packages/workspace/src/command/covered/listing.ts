import type { CommandWord } from '../command-part.ts';
import { insideWord, type OperandCheck } from './operand.ts';

/**
 * The harmless words and options of a program or subcommand: those that run and write nothing beyond what its name
 * says. Anything not listed is not covered.
 */
export interface Listing {
  readonly options: ReadonlyMap<string, ListedOption>;
  /** Checks words that are not options. */
  readonly operands: OperandCheck;
  /** Maximum number of such words, including those that a rule names. */
  readonly mostOperands: number;
  /** Whether long options start with one dash (`-run`), so that short options are never combined. */
  readonly isSingleDash: boolean;
  /** The possible subcommands. @default none */
  readonly subcommands?: ReadonlyMap<string, Listing>;
  /** The subcommand that each other plain name is: a script, for some package managers. */
  readonly otherSubcommand?: Listing;
  /** Whether each word is plain text, even if it looks like an option. */
  readonly takesAnyWord: boolean;
  /** The words allowed after `--`, if these are arguments of another program. */
  readonly passedOn?: Listing;
  /**
   * Whether it changes something or runs project code: a rule has to name it, and a rule for the program alone does
   * not cover it.
   */
  readonly isNamedOnly: boolean;
  /** "Always" never makes a rule for it. */
  readonly isNeverOffered: boolean;
  /** How many operands "always" includes in its rule, because they say what is run: the target or the script. */
  readonly namingOperands: number;
}

/** Whether an option has a value, and which. */
export interface ListedOption {
  readonly value: 'none' | 'attached' | 'required';
  readonly accepts: (value: CommandWord) => boolean;
}

/** What of a listing is not usual. */
export interface ListingTraits {
  readonly operands?: OperandCheck;
  readonly most?: number;
  readonly singleDash?: true;
  readonly anyWord?: true;
  readonly subcommands?: Readonly<Record<string, Listing>>;
  readonly other?: Listing;
  readonly passedOn?: Listing;
  readonly namedOnly?: true;
  readonly neverOffered?: true;
  readonly naming?: number;
}

/**
 * Lists options by words: `--all` has no value, `--color?` one behind `=` (or behind the letter) or none, `--since=` always
 * one, `--tb=short|long` one of these, `-j?#` a number or none, `--project=inside` a file below the current folder. `-#` is any number behind a dash.
 */
export function listing(options: string, traits: ListingTraits = {}): Listing {
  const { subcommands, other, passedOn } = traits;
  return {
    options: new Map(
      options
        .split(/\s+/u)
        .filter((word) => word !== '')
        .map(parseOption),
    ),
    operands: traits.operands ?? noOperand,
    mostOperands: traits.most ?? Number.POSITIVE_INFINITY,
    isSingleDash: traits.singleDash === true,
    takesAnyWord: traits.anyWord === true,
    isNamedOnly: traits.namedOnly === true || traits.neverOffered === true,
    isNeverOffered: traits.neverOffered === true,
    namingOperands: traits.naming ?? 0,
    ...(subcommands !== undefined && { subcommands: new Map(Object.entries(subcommands)) }),
    ...(other !== undefined && { otherSubcommand: other }),
    ...(passedOn !== undefined && { passedOn }),
  };
}

const noOperand: OperandCheck = () => false;

function parseOption(word: string): readonly [name: string, option: ListedOption] {
  if (word.endsWith('?#')) return [word.slice(0, -2), { value: 'attached', accepts: isNumber }];
  if (word.endsWith('?')) return [word.slice(0, -1), { value: 'attached', accepts: isAny }];
  const at = word.indexOf('=');
  if (at === -1) return [word, { value: 'none', accepts: () => false }];
  const values = word.slice(at + 1);
  return [word.slice(0, at), { value: 'required', accepts: valueCheck(values) }];
}

const isAny = (): boolean => true;

const isNumber = ({ text }: CommandWord): boolean => /^\d+$/u.test(text);

function valueCheck(values: string): ListedOption['accepts'] {
  if (values === '') return isAny;
  if (values === 'inside') return (value) => insideWord(value, 0);
  const known = new Set(values.split('|'));
  return ({ text, isLiteral }) => isLiteral && known.has(text);
}
