import { replicaMigration } from './replica-migration.ts';

/** The numbered steps of the schema `parley`. A step that was released is never changed: changes are further steps. */
export const migrations: readonly string[] = [
  /*
   * 1: sessions, their records, and the processes that own them.
   *
   * A session belongs to the replica in `owner` while that replica is alive. Each take-over raises `fence`, and an append names the fence it
   * was opened with: who lost the lease can append nothing.
   */
  `
  create table parley.replicas (
    id uuid primary key,
    name text not null,
    alive_until timestamptz not null
  );
  create table parley.sessions (
    key text primary key,
    fence bigint not null,
    owner uuid,
    last_seq bigint not null default 0,
    updated_at bigint not null,
    start text,
    session_id text,
    title text,
    application_head text,
    columns text
  );
  create index sessions_owner on parley.sessions (owner) where owner is not null;
  create table parley.records (
    key text not null,
    seq bigint not null,
    last bigint not null,
    record text not null,
    primary key (key, seq)
  ) partition by hash (key);
  do $$
  begin
    for part in 0..15 loop
      execute format('create table parley.records_%s partition of parley.records for values with (modulus 16, remainder %s)', part, part);
    end loop;
  end
  $$;
  `,
  // 2: lists that all replicas share: tokens, remembered answers, signed-in browsers, marks.
  `
  create table parley.documents (
    name text primary key,
    content text,
    changed_at timestamptz not null default now()
  );
  `,
  // 3: replicas.
  replicaMigration,
];
