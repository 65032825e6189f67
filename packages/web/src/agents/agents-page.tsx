import { ArrowLeft, Bot, Plus } from 'lucide-react';
import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { later } from '../parts/later.tsx';
import { useText } from '../text/language.tsx';
import { AgentDetail } from './agent-detail.tsx';
import { AgentList } from './agent-list.tsx';
import { useFreshAgents } from './use-fresh-agents.ts';
import './agents-page.css';

const AddAgentDialog = later(async () => (await import('./add-agent-dialog.tsx')).AddAgentDialog);

/** All agents; with a name, the details of that one. */
export function AgentsPage({ name }: { readonly name?: string }): ReactElement {
  const { agents: text, shell } = useText();
  const { agents, isKnown, isAdmin } = useHub();
  const [isAdding, setIsAdding] = useState(false);
  useFreshAgents();
  const agent = agents.find((known) => known.name === name);
  return (
    <section className={name === undefined ? 'agents-page' : 'agents-page agents-page-one'}>
      <div className="agents-side">
        <header>
          {agent === undefined ? <h1>{text.title}</h1> : <p className="agents-title">{text.title}</p>}
          <p className="small soft">{text.intro}</p>
          {isAdmin && (
            <button type="button" className="button" onClick={() => setIsAdding(true)}>
              <Plus size={16} aria-hidden />
              {text.add}
            </button>
          )}
          {isAdding && <AddAgentDialog onClose={() => setIsAdding(false)} />}
        </header>
        {agents.length > 0 && <AgentList agents={agents} chosen={name} />}
        {agents.length === 0 && !isKnown && <p className="soft">{shell.loading}</p>}
        {agents.length === 0 && isKnown && (
          <div className="agents-none soft">
            <p>{text.none}</p>
            <p className="small">{text.noneHelp}</p>
          </div>
        )}
      </div>
      <div className="agents-main">
        {name !== undefined && (
          <Link href="/agents" className="agents-back small">
            <ArrowLeft size={14} aria-hidden />
            {text.back}
          </Link>
        )}
        {agent !== undefined && <AgentDetail key={agent.name} agent={agent} />}
        {agent === undefined && (
          <div className="agents-none soft">
            <Bot size={32} strokeWidth={1.5} aria-hidden />
            <p>{name === undefined || !isKnown ? text.choose : text.unknown(name)}</p>
          </div>
        )}
      </div>
    </section>
  );
}
