/** Encrypts the values of secret options for storage. */
export interface SecretVault {
  seal(plain: string): Promise<string>;
  /** Returns the value, or undefined if its key is lost: the application is then asked for it again. */
  open(sealed: string): Promise<string | undefined>;
}
