import { ConfigError } from './config-error.ts';
import { type Environment, isServiceLink, type VariableName } from './variables.ts';

export interface IntegerRange {
  min: number;
  max: number;
}

/**
 * Reads single settings. Empty counts as unset, since Compose files pass empty variables. Each method throws a
 * `ConfigError` that names the variable and what would be right.
 */
export class Env {
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  text(name: VariableName): string | undefined {
    const value = this.#environment[name]?.trim();
    return value === undefined || value === '' || isServiceLink(name, value) ? undefined : value;
  }

  /** Text that has to match `pattern`; `right` completes the sentence "NAME must be …". */
  matching(name: VariableName, pattern: RegExp, right: string): string | undefined {
    const value = this.text(name);
    if (value !== undefined && !pattern.test(value)) throw wrong(name, right, value);
    return value;
  }

  integer(name: VariableName, range: IntegerRange): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = /^[0-9]{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= range.min && number <= range.max)) {
      throw wrong(name, `a whole number from ${range.min} to ${range.max}`, value);
    }
    return number;
  }

  /** 0 = any free port. */
  port(name: VariableName): number | undefined {
    return this.integer(name, { min: 0, max: 65_535 });
  }

  flag(name: VariableName): boolean | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (/^(1|true|on|yes)$/i.test(value)) return true;
    if (/^(0|false|off|no)$/i.test(value)) return false;
    throw wrong(name, '1 or 0', value);
  }

  choice<Choice extends string>(name: VariableName, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return undefined;
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) throw wrong(name, `one of ${choices.join(', ')}`, value);
    return chosen;
  }

  /** Comma list without empty items; `[]` when unset. */
  list(name: VariableName): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  /** `protocols` with their colon. The wrong value is not repeated: it may hold a password. */
  url(name: VariableName, protocols: readonly string[]): URL | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : parseUrl(name, value, protocols);
  }

  urls(name: VariableName, protocols: readonly string[]): URL[] {
    return this.list(name).map((value) => parseUrl(name, value, protocols));
  }
}

export function wrong(name: VariableName, right: string, value: string): ConfigError {
  return new ConfigError(`${name} must be ${right}, not ${JSON.stringify(value.slice(0, 80))}.`);
}

function parseUrl(name: VariableName, value: string, protocols: readonly string[]): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !protocols.includes(url.protocol) || url.hostname === '') {
    const forms = protocols.map((protocol) => `${protocol}//host:port`).join(' or ');
    throw new ConfigError(`${name} must be a URL of the form ${forms}.`);
  }
  return url;
}
