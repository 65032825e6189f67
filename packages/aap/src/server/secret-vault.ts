/** Turns the values of secret options into what may be stored, and back. */
export interface SecretVault {
  seal(plain: string): Promise<string>;
  /** The value, or undefined when it was sealed with a key that is gone: the application is then asked for it again. */
  open(sealed: string): Promise<string | undefined>;
}
