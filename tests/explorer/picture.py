"""Makes the picture of the explorer in the README: one function with an open cut, and its arrays below.

    arrc explain --html -o kmeans.html examples/kmeans.arr
    python tests/explorer/picture.py kmeans.html docs/src/explorer.png

It needs Selenium, which tests install into target/debug/python/all, and what `scripts/setup browser` installs.
"""

import base64
import sys

from browser import Browser

WIDTH, HEIGHT = 1160, 640


def main(page, picture):
    browser = Browser()
    try:
        browser.open(page, width=WIDTH, height=HEIGHT, address="#f=spread_out")
        browser.click(".cut > .head")
        browser.run("scrollTo(0, 0)")
        shot = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    finally:
        browser.close()
    with open(picture, "wb") as file:
        file.write(base64.b64decode(shot["data"]))


if __name__ == "__main__":
    main(*sys.argv[1:])
