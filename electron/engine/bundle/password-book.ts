/** The one password of a bundle: given beforehand, or asked for when the first encrypted member comes. Kept in memory only. */
export class PasswordBook {
  #password: string | undefined;
  readonly #ask: ((wrong: boolean) => Promise<string | null>) | undefined;
  #isAsked = false;

  constructor(password: string | undefined, ask: ((wrong: boolean) => Promise<string | null>) | undefined) {
    this.#password = password;
    this.#ask = ask;
  }

  get password(): string | undefined {
    return this.#password;
  }

  /**
   * A password that `opens` the member at hand. Asked for until it fits or the user goes on without; after that nobody is asked again, and
   * what was given stays in use for the members that it opens.
   */
  async fitting(opens: (password: string) => Promise<boolean>): Promise<'opens' | 'none' | 'wrong'> {
    if (this.#password !== undefined && (await opens(this.#password))) return 'opens';
    let given = this.#password;
    while (this.#ask !== undefined && !this.#isAsked) {
      const answer = await this.#ask(given !== undefined);
      if (answer === null) {
        this.#isAsked = true;
        break;
      }
      given = answer;
      if (!(await opens(answer))) continue;
      this.#password = answer;
      this.#isAsked = true;
      return 'opens';
    }
    return given === undefined ? 'none' : 'wrong';
  }
}
