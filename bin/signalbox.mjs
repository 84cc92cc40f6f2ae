#!/usr/bin/env node
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Signalbox needs Node.js 20.19 or later; this is ${process.versions.node}.`);
  process.exit(2);
}
await import('../dist/main.js');
