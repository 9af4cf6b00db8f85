import { Component, type ComponentChildren } from "preact";

/** Shows a sentence instead of a view that failed, so that the other views stay usable. */
export class Boundary extends Component<
  { readonly children: ComponentChildren },
  { readonly failed?: string | undefined }
> {
  static override getDerivedStateFromError(error: unknown): { failed: string } {
    return { failed: error instanceof Error ? error.message : String(error) };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render(): ComponentChildren {
    const { failed } = this.state;
    if (failed === undefined) return this.props.children;
    return (
      <section class="panel is-note" role="alert">
        <h1>This view could not be drawn</h1>
        <p class="quiet">The payments continue. Only this view failed. The browser's console has the details.</p>
        <p class="mono">{failed}</p>
        <p>
          <button type="button" class="button" onClick={() => this.setState({ failed: undefined })}>
            Draw it again
          </button>
        </p>
      </section>
    );
  }
}
