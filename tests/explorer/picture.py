"""Makes the picture of the explorer in the README: a page with an open cut, down to the arrays.

    arrc explain --html -o page.html examples/normalize2.arr
    python tests/explorer/picture.py page.html docs/src/explorer.png

It needs Selenium and Pillow, which the nightly tests install into target/debug/python/all, and what `scripts/setup browser`
installs.
"""

import base64
import io
import sys

from PIL import Image

from browser import Browser

WIDTH = 1080


def main(page, picture):
    browser = Browser()
    try:
        browser.open(page, width=WIDTH, height=1000)
        browser.click(".cut > .head")
        end = browser.run("scrollTo(0, 0); return document.getElementById('hints').getBoundingClientRect().top")
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": int(end) - 8, "scale": 1}
        # The pointer is no longer on the cut.
        browser.run("document.activeElement.blur()")
        browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": 0, "y": 0})
        shot = browser.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png", "clip": clip, "captureBeyondViewport": True})
    finally:
        browser.close()
    # With 256 colours, the file is a third as long.
    image = Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")
    image.quantize(256, dither=Image.Dither.NONE).save(picture, optimize=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
