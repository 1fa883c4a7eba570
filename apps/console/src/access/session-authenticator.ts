import type { IncomingMessage } from 'node:http';
import type { Caller, Role, SessionPerson, Sessions } from '@casefile/contracts';
import type { CheckedCallers, ConfiguredOidc } from '@casefile/runtime';
import { roleOfGroups } from './claims.js';
import { sessionToken } from './cookies.js';
import { requireOwnPage } from './own-page.js';
import { tokenHash } from './session-tokens.js';

export interface SessionParts {
  sessions: Pick<Sessions, 'find'>;
  /** null: no provider is configured, so sessions of providers are not accepted. */
  settings: ConfiguredOidc | null;
  /** Returns the current role of a personal key, by its id; null: it is revoked or has expired. */
  roleOfKey(id: string): Promise<Role | null>;
  /** Remembers the callers of valid sessions. */
  checked: Pick<CheckedCallers, 'begin' | 'find' | 'forget'>;
}

/** Identifies people by the session cookie. */
export class SessionAuthenticator {
  /** Checks in progress by the hashes of their tokens. Requests with the same cookie that arrive meanwhile share a check. */
  private readonly checks = new Map<string, Promise<Caller | null>>();

  constructor(private readonly parts: SessionParts) {}

  /**
   * Returns the caller of a valid session; null: there is none.
   * @throws CasefileError `foreign_page` if a page of another site sent the request.
   */
  async authenticate(request: IncomingMessage): Promise<Caller | null> {
    const token = sessionToken(request);
    if (token === null) return null;
    const hash = tokenHash(token);
    const running = this.checks.get(hash);
    const check = running ?? this.check(hash, request).finally(() => this.checks.delete(hash));
    if (running === undefined) this.checks.set(hash, check);
    const caller = await check;
    if (caller !== null) requireOwnPage(request, this.parts.settings?.publicUrl ?? null);
    return caller;
  }

  private async check(hash: string, request: IncomingMessage): Promise<Caller | null> {
    const run = this.parts.checked.begin(hash);
    try {
      const person = await this.person(request);
      if (person === null) {
        run.refuse();
        return null;
      }
      const caller: Caller = { name: person.name, proof: 'session', role: person.role, scopes: [] };
      run.confirm(caller);
      return caller;
    } finally {
      run.end();
    }
  }

  /** Returns the caller of a session that was checked in the last five minutes. @throws as `authenticate` does. */
  recall(request: IncomingMessage): Caller | null {
    const { checked, settings } = this.parts;
    const token = sessionToken(request);
    const caller = token === null ? null : checked.find(tokenHash(token));
    if (caller !== null) requireOwnPage(request, settings?.publicUrl ?? null);
    return caller;
  }

  /**
   * Returns the person of a valid session with the current role; null: there is none. Each call reads the session, so a revoked
   * one ends with the next request.
   */
  async person(request: IncomingMessage): Promise<SessionPerson | null> {
    const token = sessionToken(request);
    const session = token === null ? null : await this.parts.sessions.find(tokenHash(token));
    if (session === null) return null;
    const role = await this.currentRole(session);
    return role === null ? null : { ...session, role };
  }

  // A group or key that lost its role since the sign-in gives none.
  private async currentRole({ source, subject, groups }: SessionPerson): Promise<Role | null> {
    if (source === 'key') return this.parts.roleOfKey(subject);
    const { settings } = this.parts;
    return settings === null ? null : (roleOfGroups(groups, settings.roles)?.role ?? null);
  }
}
