import type { Socket } from 'node:net';
import { targetText, type ConnectionTarget } from './connection-target.ts';

/** Hosts of one report; further ones are only counted. */
const mostHosts = 256;

/** How a host was used since the last report. */
export interface NetworkUse extends ConnectionTarget {
  readonly connections: number;
  /** Connections that were blocked. */
  readonly blocked: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** The hosts that were used since the last report. */
export interface NetworkReport {
  readonly hosts: readonly NetworkUse[];
  /** Further hosts, which are not listed. */
  readonly moreHosts: number;
}

interface Counts {
  connections: number;
  blocked: number;
  sentBytes: number;
  receivedBytes: number;
}

interface OpenConnection {
  readonly target: ConnectionTarget;
  sentBytes: number;
  receivedBytes: number;
}

/** Counts the connections and bytes of each host. */
export class NetworkUseCounter {
  #hosts = new Map<string, ConnectionTarget & Counts>();
  #others = new Set<string>();
  readonly #open = new Map<Socket, OpenConnection>();

  /** Counts a connection, and its bytes until it is closed. */
  opened(target: ConnectionTarget, socket: Socket): void {
    this.#count(target, { connections: 1 });
    this.#open.set(socket, { target, sentBytes: 0, receivedBytes: 0 });
    socket.once('close', () => {
      this.#countBytes(socket);
      this.#open.delete(socket);
    });
  }

  blocked(target: ConnectionTarget): void {
    this.#count(target, { blocked: 1 });
  }

  /** Returns what happened since the last call; undefined if nothing did. */
  take(): NetworkReport | undefined {
    for (const socket of this.#open.keys()) this.#countBytes(socket);
    const hosts = [...this.#hosts.values()];
    const moreHosts = this.#others.size;
    if (hosts.length === 0 && moreHosts === 0) return undefined;
    this.#hosts = new Map();
    this.#others = new Set();
    return { hosts, moreHosts };
  }

  #countBytes(socket: Socket): void {
    const open = this.#open.get(socket);
    if (open === undefined) return;
    const { bytesWritten, bytesRead } = socket;
    const sentBytes = bytesWritten - open.sentBytes;
    const receivedBytes = bytesRead - open.receivedBytes;
    open.sentBytes = bytesWritten;
    open.receivedBytes = bytesRead;
    if (sentBytes > 0 || receivedBytes > 0) this.#count(open.target, { sentBytes, receivedBytes });
  }

  #count({ host, port }: ConnectionTarget, added: Partial<Counts>): void {
    const key = targetText({ host, port });
    let counts = this.#hosts.get(key);
    if (counts === undefined) {
      if (this.#hosts.size >= mostHosts) {
        if (this.#others.size < mostOtherHosts) this.#others.add(key);
        return;
      }
      counts = { host, port, connections: 0, blocked: 0, sentBytes: 0, receivedBytes: 0 };
      this.#hosts.set(key, counts);
    }
    counts.connections += added.connections ?? 0;
    counts.blocked += added.blocked ?? 0;
    counts.sentBytes += added.sentBytes ?? 0;
    counts.receivedBytes += added.receivedBytes ?? 0;
  }
}

/** Further hosts of one report that are counted. */
const mostOtherHosts = 65_536;
