import { runEngineChild } from './engine/child.ts';

await runEngineChild();
