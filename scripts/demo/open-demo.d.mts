export interface RunningDemo {
  web: string;
  /** Of the API, with its prefix. */
  api: string;
  /** Of the collector over HTTP. */
  otlp: string;
  ingestionKey: string;
  key: string;
  email: string;
  password: string;
  folder: string;
  output(): string;
  /** As Ctrl-C does; answers the exit code. */
  interrupt(): Promise<number | null>;
}

/** Starts `npm run demo` on random ports with these further settings. */
export function openDemo(environment?: Record<string, string>): Promise<RunningDemo>;
