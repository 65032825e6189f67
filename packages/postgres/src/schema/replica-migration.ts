/** Replicas that serve the same sessions: their folders and room, commands from one to another, and what each shows of its sessions. */
export const replicaMigration = `
  alter table parley.replicas
    add column is_serving boolean not null default false,
    add column workspaces text not null default '[]',
    add column slots int not null default 0,
    add column taken int not null default 0,
    add column since timestamptz not null default clock_timestamp();
  alter table parley.sessions
    add column workspace text,
    add column folder text;
  create table parley.commands (
    n bigint generated always as identity primary key,
    id text not null unique,
    key text not null,
    target uuid,
    body text not null,
    made_at timestamptz not null default clock_timestamp(),
    taken_by uuid,
    is_cancelled boolean not null default false,
    outcome text,
    done_at timestamptz
  );
  create index commands_waiting on parley.commands (key, n) where done_at is null;
  create index commands_done on parley.commands (done_at) where done_at is not null;
  create table parley.shared (
    key text primary key,
    replica uuid not null,
    session text not null,
    questions text not null
  );
`;
