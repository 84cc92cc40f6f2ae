import { MemberSchema, RemovedSchema, RetentionSchema, TeamInputSchema, TeamSchema } from '../../../contract/team.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { InvitationService } from '../invitation-service.ts';
import { presentMember, presentTeam } from '../present-team.ts';
import type { TeamService } from '../team-service.ts';
import { invitationOperations } from './invitation-operations.ts';

export interface Retention {
  logsDays: number;
  tracesDays: number;
  metricsDays: number;
}

const common = { flavours: ['selfHosted'], tag: 'Team' } as const;

/** Every operation on the caller's team (contract §10). */
export function teamOperations(teams: TeamService, invitations: InvitationService, retention: Retention): Operation[] {
  return [
    getTeam(teams),
    updateTeam(teams),
    listMembers(teams),
    ...removeMember(teams),
    ...invitationOperations(invitations),
    getRetention(retention),
  ];
}

function getTeam(teams: TeamService): Operation {
  return operation({
    ...common,
    id: 'getTeam',
    method: 'GET',
    path: '/team',
    summary: 'Get the team',
    role: 'read',
    answer: { kind: 'one', schema: TeamSchema },
    errors: [],
    handle: async ({ principal }) => ({ kind: 'data', data: presentTeam(await teams.get(principal.tenantId)) }),
  });
}

function updateTeam(teams: TeamService): Operation {
  return operation({
    ...common,
    id: 'updateTeam',
    method: 'PUT',
    path: '/team',
    summary: 'Change the name or the time zone of the team',
    role: 'admin',
    body: TeamInputSchema,
    answer: { kind: 'one', schema: TeamSchema },
    errors: ['request_invalid'],
    handle: async ({ principal, body }) => ({
      kind: 'data',
      data: presentTeam(await teams.update(principal.tenantId, body)),
    }),
  });
}

function listMembers(teams: TeamService): Operation {
  return operation({
    ...common,
    id: 'listMembers',
    method: 'GET',
    path: '/team/members',
    summary: 'List the members of the team',
    role: 'read',
    answer: { kind: 'list', schema: MemberSchema },
    errors: [],
    handle: async ({ principal }) => ({
      kind: 'data',
      data: (await teams.members(principal.tenantId)).map((member) => presentMember(member, principal)),
    }),
  });
}

/**
 * Under two paths: the second is the one of clients that know roles. Those read a 404 as "already removed", so that a path
 * that does not exist would leave the person in the team without a word.
 */
function removeMember(teams: TeamService): Operation[] {
  const removal = (id: string, path: string) =>
    operation({
      ...common,
      id,
      method: 'DELETE',
      path,
      summary: 'Remove a member from the team, with sessions and personal keys',
      role: 'admin',
      answer: { kind: 'one', schema: RemovedSchema },
      errors: ['request_invalid', 'member_not_found'],
      handle: async ({ principal, params }) => {
        await teams.removeMember(principal, params.id ?? '');
        return { kind: 'data', data: { success: true } };
      },
    });
  return [removal('removeMember', '/team/member/:id'), removal('removeMemberRole', '/team/members/:id/role')];
}

function getRetention(retention: Retention): Operation {
  return operation({
    ...common,
    id: 'getRetention',
    method: 'GET',
    path: '/team/retention',
    summary: 'Get the retention of telemetry in days',
    role: 'read',
    answer: { kind: 'one', schema: RetentionSchema },
    errors: [],
    handle: async () => ({ kind: 'data', data: retention }),
  });
}
