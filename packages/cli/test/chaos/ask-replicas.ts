import type { ChaosStage } from './chaos-stage.ts';

/** How long a replica may take to answer what is asked for a report. */
const answerMs = 5000;

/** What each replica says of the last turn of an application's session: which of them does not know that it has ended. */
export async function askReplicas(stage: ChaosStage, key: string): Promise<string> {
  const lines = [`${key}, as replicas stream its last turn:`];
  for (const { name, url } of stage.replicas) {
    const turns = `${url}/aap/sessions/${key}/turns`;
    const list = await ask(turns, stage.places.token);
    const turnId = list.split('"turnId":"').at(-1)?.split('"')[0] ?? '';
    lines.push(`  ${name}: ${list.slice(-300)}`, await ask(`${turns}/${turnId}/events`, stage.places.token));
  }
  return lines.join('\n');
}

/** What was received until it ended, failed, or took too long. */
async function ask(url: string, token: string): Promise<string> {
  let text = '';
  const late = AbortSignal.timeout(answerMs);
  try {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: late });
    text += `${String(response.status)} `;
    if (response.body === null) return text;
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) text += chunk;
    return text;
  } catch (error) {
    return `${text} [${String(error)}]`;
  }
}
