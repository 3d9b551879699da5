/** Base of classes whose instance methods are workflows or steps, as in the DBOS SDK. */
export abstract class ConfiguredInstance {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  initialize(): Promise<void> {
    return Promise.resolve();
  }
}
