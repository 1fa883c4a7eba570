import { Component, type ReactNode } from 'react';

interface Props {
  /** Shown in place of what failed. */
  fallback: ReactNode;
  /** What failed is tried again when this changes. */
  of?: unknown;
  children: ReactNode;
}

/** What fails inside is replaced by `fallback`; the page around it goes on. React itself reports the error to the console. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.failed && before.of !== this.props.of) this.setState({ failed: false });
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
