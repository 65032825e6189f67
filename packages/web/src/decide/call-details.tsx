import type { ContentBlock } from '@parley/acp';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../text/language.tsx';
import { AddressText } from './address-text.tsx';
import type { CallFacts } from './call-facts.ts';
import { FileChanges } from './file-changes.tsx';
import { Honest } from './honest.tsx';
import './call-details.css';

/** All that is known of a call, whole: what somebody decides about is neither cut nor behind something. */
export function CallDetails({
  facts,
  cwd,
}: {
  readonly facts: CallFacts;
  readonly cwd: string | undefined;
}): ReactElement {
  const { decide } = useText();
  const { command, folder = cwd, address, mcp, plan, changes, paths, words, blocks, input, tool } = facts;
  return (
    <div className="call-details">
      {command !== undefined && (
        <figure aria-label={decide.command}>
          <pre className="call-command">
            <Honest text={command} />
          </pre>
        </figure>
      )}
      {address !== undefined && <AddressText text={address} />}
      {plan !== undefined && (
        <section className="call-words" aria-label={decide.plan}>
          <Honest text={plan} />
        </section>
      )}
      {words.map((text) => (
        <p key={text} className="call-words">
          <Honest text={text} />
        </p>
      ))}
      {changes.length > 0 && <FileChanges changes={changes} cwd={cwd} />}
      {blocks.map((block, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <Block key={index} block={block} />
      ))}
      <dl className="call-facts">
        {command !== undefined && folder !== undefined && (
          <Fact name={decide.folder}>
            <code>
              <Honest text={folder} />
            </code>
          </Fact>
        )}
        {paths.length > 0 && (
          <Fact name={decide.files(paths.length)}>
            <ul>
              {paths.map((path) => (
                <li key={path}>
                  <code>
                    <Honest text={path} />
                  </code>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {mcp !== undefined && <Fact name={decide.mcpTool}>{decide.mcpToolOf(mcp.tool, mcp.server)}</Fact>}
        {mcp === undefined && tool !== undefined && (
          <Fact name={decide.tool}>
            <code>
              <Honest text={tool} />
            </code>
          </Fact>
        )}
      </dl>
      {input !== undefined &&
        (facts.isInputAll ? (
          <figure aria-label={decide.input}>
            <pre className="call-input">
              <Honest text={input} />
            </pre>
          </figure>
        ) : (
          <details className="small">
            <summary>{decide.input}</summary>
            <pre className="call-input">
              <Honest text={input} />
            </pre>
          </details>
        ))}
    </div>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Block({ block }: { readonly block: ContentBlock }): ReactElement {
  const { decide } = useText();
  if (block.type === 'image' && /^image\/(?:png|jpeg|gif|webp)$/u.test(block.mimeType)) {
    return (
      <img className="call-image" src={`data:${block.mimeType};base64,${block.data}`} alt={decide.image} />
    );
  }
  return (
    <figure aria-label={decide.content}>
      <pre className="call-input">
        <Honest text={JSON.stringify(block, undefined, 2)} />
      </pre>
    </figure>
  );
}
