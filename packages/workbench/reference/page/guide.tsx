import type { JSX } from "preact";
import { Code } from "../../live/page/parts.tsx";
import type { DemoView } from "../views/demo.ts";
import { sectionsOf, type Section } from "./markdown.ts";
import { Blocks, Table } from "./prose.tsx";
import { linkTo } from "./routes.ts";
import type { Reference } from "./use-reference.ts";

/** The guide of the Partners API with the demo's own values, and a short text about the other two APIs. */
export function Guide({ reference: { apis, demo } }: { reference: Reference }): JSX.Element {
  const [partners, ...others] = apis;
  const [overview, ...sections] = sectionsOf(partners?.description ?? "");
  return (
    <article class="guide">
      <h1>Take payments on terminals</h1>
      {overview && <Blocks of={overview.blocks} />}
      <Addresses demo={demo} reference={apis} />
      {sections.map((section) => (
        <GuideSection key={section.slug} section={section} demo={demo} />
      ))}
      <section id="test-amounts">
        <h2>Test amounts</h2>
        <p>On the demo&#8217;s terminal on autopilot, the last two digits of the amount choose the outcome.</p>
        <Table
          head={["amount ends in", "what happens"]}
          rows={[
            ["`.00` and all others", "approved"],
            ...demo.scripts.map(({ digits, name }) => [`\`.${digits}\``, name]),
          ]}
        />
      </section>
      {others.map(({ api, title, description }) => (
        <section key={api} id={api}>
          <h2>{title}</h2>
          {sectionsOf(description).map(({ slug, blocks }) => (
            <Blocks key={slug} of={blocks} />
          ))}
        </section>
      ))}
    </article>
  );
}

const Addresses = ({ demo, reference }: { demo: DemoView; reference: Reference["apis"] }): JSX.Element => {
  return (
    <dl class="panel facts addresses">
      {reference.map(({ api, title, version }) => (
        <div key={api}>
          <dt>
            {title} {version}
          </dt>
          <dd>
            <code>{api === "terminals" ? demo.terminalsUrl : demo.baseUrl}</code>
          </dd>
          <dd>
            <a href={`openapi/${api}.json`}>OpenAPI document</a>
          </dd>
        </div>
      ))}
    </dl>
  );
};

function GuideSection({ section, demo }: { section: Section; demo: DemoView }): JSX.Element {
  return (
    <section id={section.slug}>
      <h2>{section.title}</h2>
      <Blocks of={section.blocks} />
      <OfTheDemo of={section.slug} demo={demo} />
    </section>
  );
}

/** The demo's addition to a section of the guide. */
function OfTheDemo({ of, demo }: { of: string; demo: DemoView }): JSX.Element | null {
  switch (of) {
    case "keys":
      return (
        <>
          <p class="quiet">The keys of this demo work only for the demo:</p>
          <Code label="The demo's keys">{demo.keys.map(({ header, value }) => `${header}: ${value}`).join("\n")}</Code>
        </>
      );
    case "first-request":
      return (
        <>
          <p class="quiet">
            Paste it into a terminal, or <a href={linkTo("operations", "pos-payment-request")}>send it from here</a>.
          </p>
          <Code label="The first request as curl">{demo.curl}</Code>
        </>
      );
    case "webhooks":
      return demo.liveUrl === undefined ? null : (
        <p class="quiet">
          If a payment of this demo has no webhook address, its webhooks go to the{" "}
          <a href={new URL("#/webhooks", demo.liveUrl).href} target="_blank" rel="noreferrer">
            live page
          </a>
          , which shows each attempt.
        </p>
      );
    case "verify-a-webhook":
      return (
        <>
          <p class="quiet">The demo&#8217;s secret:</p>
          <Code label="The demo's webhook secret">{demo.webhookSecret}</Code>
        </>
      );
    default:
      return null;
  }
}
