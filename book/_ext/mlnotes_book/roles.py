"""Small pieces of inline text: badges and links to files of the site."""

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import ReferenceRole, SphinxRole

BADGES = {
    "proved": "✓ proved",
    "uncertified": "○ not certified yet",
    "tested": "≈ tested",
    "cited": "→ cited",
}


class BadgeRole(SphinxRole):
    """A badge as it stands beside theorems."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the badge."""
        if self.text not in BADGES:
            message = self.inliner.reporter.error(f"no such badge: {self.text}", line=self.lineno)
            return [], [message]
        return [nodes.inline("", BADGES[self.text], classes=["badge", f"badge-{self.text}"])], []


class SiteFileRole(ReferenceRole):
    """A link to a file of the site that is not a page, named from its root."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link, relative to the page."""
        up = "../" * self.env.docname.count("/")
        return [nodes.reference("", self.title, refuri=up + self.target, internal=True)], []


def setup(app: Sphinx) -> None:
    """Register the roles."""
    app.add_role("badge", BadgeRole())
    app.add_role("site-file", SiteFileRole())
