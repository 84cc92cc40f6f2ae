import { apiAttacks } from './api-attacks.ts';
import type { Attack } from './attack.ts';
import { heldAttacks } from './held-attacks.ts';
import { otlpAttacks } from './otlp-attacks.ts';

export function allAttacks(): Attack[] {
  return [...otlpAttacks(), ...apiAttacks(), ...heldAttacks()];
}
