/** Google refuses the key of a service account: it was deleted or disabled, or a clock is wrong. */
export class CredentialsRefused extends Error {
  override readonly name = 'CredentialsRefused';

  constructor({ email, words }: { readonly email: string; readonly words: string }) {
    super(`Google refuses the key of ${email}: ${words}`);
  }
}
