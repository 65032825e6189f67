import type { Sql, TransactionSql } from 'postgres';

/**
 * Does work in a transaction.
 *
 * The driver sends `rollback` or `commit`, and each further statement, also over a connection that has closed, and then throws where nothing can
 * catch it. So nothing is sent to it any more, and this rejects as the connection did.
 *
 * @param work To be called after a wait for anything but a statement: `checkOpen` throws where the connection has closed meanwhile.
 */
export async function inTransaction(
  sql: Sql,
  work: (transaction: TransactionSql, checkOpen: () => void) => Promise<void>,
): Promise<void> {
  let closed: { readonly error: unknown } | undefined;
  const checkOpen = (): void => {
    if (closed !== undefined) throw closed.error;
  };
  const whole = sql.begin(async (transaction) => {
    try {
      await work(transaction, checkOpen);
      checkOpen();
    } catch (error) {
      if (closed === undefined && !isClosed(error)) throw error;
      // Never settles: the driver has rejected the transaction, or does so in this step of the event loop.
      await new Promise<never>(() => {});
    }
  });
  // It rejects before `work` settles only when its connection has closed.
  whole.catch((error: unknown) => {
    closed = { error };
  });
  await whole;
}

/** How the driver rejects statements whose connection it knows to be closed. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'CONNECTION_CLOSED';
}
