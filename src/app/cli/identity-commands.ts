import type { Command } from 'commander';
import { registerApiKeyCommands } from './api-key-commands.ts';
import type { CommandDeps } from './command-deps.ts';
import { registerKeyCommands } from './key-commands.ts';
import { registerOrganizationCommands } from './organization-commands.ts';
import { registerServiceCommands } from './service-commands.ts';
import { registerTeamCommands } from './team-commands.ts';
import { registerUserCommands } from './user-commands.ts';
import { registerWebhookCommands } from './webhook-commands.ts';

/**
 * The commands for teams, users, organizations, services and keys, and the list of webhooks. They work on the metadata store itself, also while a server runs on it. What
 * cannot be done is thrown as a `CommandError`.
 */
export function registerIdentityCommands(program: Command, deps: CommandDeps): void {
  registerTeamCommands(program, deps);
  registerUserCommands(program, deps);
  registerKeyCommands(program, deps);
  registerOrganizationCommands(program, deps);
  registerServiceCommands(program, deps);
  registerApiKeyCommands(program, deps);
  registerWebhookCommands(program, deps);
}
