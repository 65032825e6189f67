import type { CheckResult, ConformanceCard } from '@parley/conformance';
import { summarize } from './summary.ts';
import { toXml } from './xml.ts';

/**
 * A card in the XML of JUnit, for CI systems: valid by the schemas of Jenkins (`junit-10.xsd`) and, below the root, of Surefire. Its
 * times are 0, because the same agent has the same card.
 */
export function toJunit({ target, checks }: ConformanceCard): string {
  const { failed, skipped } = summarize(checks);
  const counts = `tests="${String(checks.length)}" failures="${String(failed)}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="parley check" ${counts}>`,
    `  <testsuite name="${toXml(`${target.name} ${target.version}`)}" ${counts} skipped="${String(skipped)}">`,
    ...checks.flatMap(toCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function toCase(check: CheckResult): readonly string[] {
  const begin = `    <testcase classname="acp.${check.level}" name="${toXml(`${check.id}: ${check.rule}`)}" time="0"`;
  switch (check.outcome) {
    case 'passed':
      return [`${begin}/>`];
    case 'skipped':
      return [`${begin}>`, `      <skipped message="${toXml(check.detail)}"/>`, '    </testcase>'];
    case 'failed': {
      const [message = ''] = check.detail.split('\n');
      const text = toXml(`${check.detail}\n${check.source}`);
      return [
        `${begin}>`,
        `      <failure type="${check.level}" message="${toXml(message)}">${text}</failure>`,
        '    </testcase>',
      ];
    }
  }
}
