import { apiAttacks } from './api-attacks.ts';
import type { Attack } from './attack.ts';
import { connectionAttacks } from './connection-attacks.ts';
import { heldAttacks } from './held-attacks.ts';
import { otlpAttacks } from './otlp-attacks.ts';

/** Before the program is started, for `rebinding.example`. */
export const resolverOption = `--import=${new URL('./rebinding-resolver.mjs', import.meta.url).href}`;

export function allAttacks(): Attack[] {
  return [...otlpAttacks(), ...apiAttacks(), ...connectionAttacks(), ...heldAttacks()];
}
