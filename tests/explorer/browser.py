"""A headless Chromium with one page of `arrc explain --html`, as a reader and as the tests see it."""

import json
import os
import re
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"
# Chromium's own sandbox needs rights that containers lack.
OPTIONS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-device-scale-factor=1"]


class Browser:
    """The browser, and what is seen in it."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for option in OPTIONS:
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        # Nothing may be looked up or downloaded: the driver is the one of the system.
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER, env={**os.environ, "SE_OFFLINE": "true"}))

    def close(self):
        self.driver.quit()

    def open(self, page, width=1400, height=1000, scheme="light", address=""):
        """Opens a file in a window of this size."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self.driver.get("about:blank")
        self.driver.get(Path(page).resolve().as_uri() + address)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        """The texts of elements, also of those that are folded."""
        return self.run("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent)", selector)

    def press(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def focused(self, attribute):
        return self.driver.switch_to.active_element.get_attribute(attribute)

    def click(self, selector):
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        self.one(selector).click()

    def choose(self, strategy=None, function=None):
        """Chooses what is shown, as a reader does."""
        if strategy:
            self.click(f'#strategies label:has(input[value="{strategy}"])')
        if function and self.one("#function").is_displayed():
            self.run("document.getElementById('function').focus()")
            self.one(f'#function option[value="{function}"]').click()

    def problems(self):
        """What the browser complains of."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


def data_of(page):
    """The data in a page, read without a browser."""
    text = Path(page).read_text(encoding="utf-8")
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    return json.loads(found[1])


__all__ = ["Browser", "Keys", "data_of"]
